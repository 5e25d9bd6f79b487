package io.sedge.engine.operator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.column.Batch;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.StateImage;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowTableTest {
  private static final Schema SCHEMA = Rows.schema("n", Type.BIGINT, "name", Type.STRING);

  private static Batch batch(long number) {
    return Rows.of(SCHEMA).add(number, "row " + number).build();
  }

  /** Rows leave in any order, so that slots are given up at the top, below it, and again. */
  @Test
  void itHoldsItsRowsAndTellsTheirChangesHoweverTheyComeAndGo() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    RowTable table = new RowTable((byte) 1, SCHEMA);
    StateImage image = new StateImage();
    Map<Integer, Long> rows = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      boolean grows = step / 2_000 % 2 == 0;
      if (rows.isEmpty() || random.nextInt(5) < (grows ? 4 : 1)) {
        int slot = table.add(batch(step), 0, 0);
        assertThat(rows.put(slot, (long) step)).as("seed %d", seed).isNull();
      } else {
        List<Integer> slots = new ArrayList<>(rows.keySet());
        int slot = slots.get(random.nextInt(slots.size()));
        table.mark(slot, step);
        if (random.nextInt(3) > 0) {
          table.remove(slot);
          rows.remove(slot);
        }
      }
      if (random.nextInt(500) == 0) {
        table.writeChanges(image);
        StateImage snapshot = new StateImage();
        table.writeSnapshot(snapshot);
        assertThat(image).as("seed %d, step %d", seed, step).isEqualTo(snapshot);
      }
    }
    table.checkInvariants();
    assertThat(table.size()).isEqualTo(rows.size());
    rows.forEach(
        (slot, number) ->
            assertThat(new Batch(1, table.gather(new int[] {slot}, 1)).row(0))
                .as("seed %d", seed)
                .isEqualTo(batch(number).row(0)));
  }

  /** A device keeps what a burst needed for as long as the burst lasts. */
  @Test
  void afterABurstItIsAsSmallAsWhatIsLeft() {
    RowTable table = new RowTable((byte) 1, SCHEMA);
    Batch batch = batch(1);
    Deque<Integer> slots = new ArrayDeque<>();
    for (int i = 0; i < 50_000; i++) {
      slots.add(table.add(batch, 0, 0));
    }
    assertThat(table.capacity()).isGreaterThanOrEqualTo(50_000);
    while (slots.size() > 100) {
      table.remove(slots.remove());
    }
    for (int i = 0; i < 100; i++) {
      slots.add(table.add(batch, 0, 0));
      table.remove(slots.remove());
    }
    assertThat(table.size()).isEqualTo(100);
    assertThat(table.capacity()).isLessThan(1000);
    table.checkInvariants();
  }
}

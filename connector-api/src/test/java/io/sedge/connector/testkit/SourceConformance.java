package io.sedge.connector.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Division;
import io.sedge.connector.Part;
import io.sedge.connector.PartSizes;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.TimeBounds;
import io.sedge.engine.column.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every source must do. A subclass names a table whose input is ready and says what rows it
 * holds; the suite then reads it in all ways that a task does.
 */
public abstract class SourceConformance {
  /** So long the suite waits for rows. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** From so many positions at most reading is begun again. */
  private static final int MAX_POSITIONS = 25;

  /** The connector under test. */
  protected abstract ConnectorFactory connector();

  /** A table with input. Called once per test. */
  protected abstract TableDescriptor table();

  /** What the connector runs in. */
  protected abstract TestContext context();

  /** The rows that the table holds or, where it does not end, that it begins with; in order. */
  protected abstract List<List<Object>> expected();

  /** How many payloads of the input are malformed. */
  protected int expectedMalformed() {
    return 0;
  }

  /** Whether the table ends by itself. */
  protected boolean isBounded() {
    return true;
  }

  /** Whether reading can begin again at a position, so that the same rows follow. */
  protected boolean isReplayable() {
    return true;
  }

  /**
   * The table with the same input, divided, if the connector can: the suite then reads its shards.
   */
  protected Optional<TableDescriptor> dividedTable() {
    return Optional.empty();
  }

  private Source source() {
    return connector().source(table(), context()).orElseThrow();
  }

  private Source divided() {
    Optional<TableDescriptor> table = dividedTable();
    Assumptions.assumeTrue(table.isPresent(), "the source cannot be divided");
    return connector().source(table.orElseThrow(), context()).orElseThrow();
  }

  /** The source, if it is divided by part. */
  private Source cut() {
    Source source = source();
    Assumptions.assumeTrue(
        source.division() instanceof Division.ByPart, "the source is not cut into parts");
    return source;
  }

  /** The shards of a source by name; those by device are one, for the suite runs on one machine. */
  private static Map<String, Source> shards(Source source) {
    Map<String, Source> shards = new LinkedHashMap<>();
    switch (source.division()) {
      case Division.Whole _, Division.Undiscovered _, Division.ByPart _ -> {}
      case Division.ByDevice _ -> shards.put("here", source.shard("here"));
      case Division.ByKey(int _, List<String> names) ->
          names.forEach(name -> shards.put(name, source.shard(name)));
    }
    assertThat(shards).as("the shards of a divided source").isNotEmpty();
    return shards;
  }

  /** The rows that a shard holds, of those that the table holds. */
  private List<List<Object>> expectedOf(Source source, String shard) {
    return source.division() instanceof Division.ByKey(int column, List<String> _)
        ? expected().stream().filter(row -> shard.equals(row.get(column))).toList()
        : expected();
  }

  @Test
  void optionsAreDeclaredAndOthersAreRefused() {
    OptionConformance.check(connector(), table());
  }

  @Test
  void aSourceSaysWhetherItEnds() {
    assertThat(source().bounded()).isEqualTo(isBounded());
  }

  @Test
  void aReaderGivesAllRowsInOrder() {
    try (SourceReader reader = source().open()) {
      List<List<@Nullable Object>> rows = read(reader, expected().size());
      assertThat(rows).isEqualTo(expected());
      assertThat(reader.counters().readings()).isEqualTo(expected().size());
      assertThat(reader.counters().dropped()).isZero();
      if (isBounded()) {
        assertThat(reader.finished()).isTrue();
        assertThat(reader.poll(System.nanoTime())).isNull();
        assertThat(reader.counters().malformed()).isEqualTo(expectedMalformed());
        assertThat(context().malformed()).hasSize(expectedMalformed());
      }
    }
  }

  @Test
  void boundsLeaveOutNoRowWithinThem() {
    for (int column = 0; column < table().schema().size(); column++) {
      if (table().schema().type(column).kind().isTimestamp()) {
        checkBounds(column);
      }
    }
  }

  private void checkBounds(int column) {
    List<Long> times =
        expected().stream().map(row -> (Long) row.get(column)).filter(Objects::nonNull).toList();
    long from = times.get(times.size() / 3);
    long to = times.get(times.size() / 2);
    TimeBounds bounds = new TimeBounds(table().schema().name(column), from, to);
    Optional<Source> bounded = source().between(bounds);
    Assumptions.assumeTrue(bounded.isPresent(), "the source makes no use of bounds");
    try (SourceReader reader = bounded.orElseThrow().open()) {
      Predicate<List<?>> within =
          row -> row.get(column) instanceof Long time && time >= from && time <= to;
      List<List<Object>> needed = expected().stream().filter(within).toList();
      assertThat(read(reader, needed.size()).stream().filter(within)).isEqualTo(needed);
    }
  }

  @Test
  void columnsHaveTheTypesOfTheTable() {
    try (SourceReader reader = source().open()) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      Batch batch = null;
      while (batch == null && !reader.finished() && System.nanoTime() < deadline) {
        batch = reader.poll(System.nanoTime());
      }
      assertThat(batch).isNotNull();
      assertThat(batch.columns()).hasSize(table().schema().size());
      for (int i = 0; i < batch.columns().size(); i++) {
        assertThat(batch.column(i).getClass().getSimpleName())
            .isEqualToIgnoringCase(table().schema().type(i).storage() + "Column");
        if (!table().schema().type(i).nullable()) {
          for (int row = 0; row < batch.rows(); row++) {
            assertThat(batch.column(i).isNull(row)).isFalse();
          }
        }
      }
    }
  }

  // After a crash a task goes on at the position of its last commit: nothing missing, nothing
  // twice.
  @Test
  void theRestFollowsFromEveryPosition() {
    Assumptions.assumeTrue(isReplayable(), "the source cannot be read again");
    List<byte[]> positions = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    int count = 0;
    try (SourceReader reader = source().open()) {
      positions.add(reader.position());
      counts.add(0);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (count < expected().size() && System.nanoTime() < deadline) {
        Batch batch = reader.poll(System.nanoTime());
        if (batch != null) {
          count += batch.rows();
          positions.add(reader.position());
          counts.add(count);
        }
      }
    }
    int step = Math.max(1, positions.size() / MAX_POSITIONS);
    for (int i = 0; i < positions.size(); i += step) {
      int from = Math.min(counts.get(i), expected().size());
      try (SourceReader reader = source().open()) {
        reader.seek(positions.get(i));
        assertThat(read(reader, expected().size() - from))
            .as("rows after position %d", i)
            .isEqualTo(expected().subList(from, expected().size()));
      }
    }
  }

  @Test
  void aPositionOfAReaderThatWasSoughtIsTheSameAgain() {
    Assumptions.assumeTrue(isReplayable(), "the source cannot be read again");
    byte[] position;
    try (SourceReader reader = source().open()) {
      read(reader, 1);
      position = reader.position();
    }
    try (SourceReader reader = source().open()) {
      reader.seek(position);
      assertThat(reader.position()).isEqualTo(position);
    }
  }

  @Test
  void rowsAreTakenOnceTheyAreAcknowledged() {
    try (SourceReader reader = source().open()) {
      List<List<@Nullable Object>> rows = new ArrayList<>();
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (rows.size() < expected().size() && System.nanoTime() < deadline) {
        Batch batch = reader.poll(System.nanoTime());
        if (batch != null) {
          append(batch, rows);
          reader.acknowledge(reader.position());
        }
      }
      assertThat(rows.subList(0, Math.min(rows.size(), expected().size()))).isEqualTo(expected());
    }
  }

  @Test
  void thereIsNoShardOfAnotherName() {
    Source source = source();
    if (source.division() instanceof Division.Whole) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> source.shard("no such shard"))
          .withMessageContaining("no such shard");
    }
    dividedTable()
        .map(table -> connector().source(table, context()).orElseThrow())
        .filter(divided -> divided.division() instanceof Division.ByKey)
        .ifPresent(
            divided ->
                assertThatIllegalArgumentException()
                    .isThrownBy(() -> divided.shard("no such shard"))
                    .withMessageContaining("no such shard"));
  }

  // Whichever devices read them, each reading is in the results once.
  @Test
  void theShardsTogetherGiveEachRowOnce() {
    Source source = divided();
    int rows = 0;
    for (Map.Entry<String, Source> shard : shards(source).entrySet()) {
      assertThat(shard.getValue().division()).isEqualTo(Division.WHOLE);
      assertThat(shard.getValue().bounded()).isEqualTo(source.bounded());
      List<List<Object>> of = expectedOf(source, shard.getKey());
      try (SourceReader reader = shard.getValue().open()) {
        assertThat(read(reader, of.size())).as("shard %s", shard.getKey()).isEqualTo(of);
      }
      rows += of.size();
    }
    assertThat(rows).as("rows that are in a shard").isEqualTo(expected().size());
  }

  // A device dies without a word, and another one goes on with its shard from the last commit.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoeverOpensAShardAfterAnotherGoesOnFromItsPosition(boolean acknowledged) {
    Source source = divided();
    Assumptions.assumeTrue(isReplayable(), "the source cannot be read again");
    for (Map.Entry<String, Source> shard : shards(source).entrySet()) {
      List<List<Object>> of = expectedOf(source, shard.getKey());
      SourceReader dead = shard.getValue().open();
      try {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (rows.isEmpty() && !of.isEmpty() && System.nanoTime() < deadline) {
          Batch batch = dead.poll(System.nanoTime());
          if (batch != null) {
            append(batch, rows);
          }
        }
        byte[] position = dead.position();
        if (acknowledged) {
          dead.acknowledge(position);
        }
        try (SourceReader next = shard.getValue().open()) {
          next.seek(position);
          rows.addAll(read(next, of.size() - rows.size()));
        }
        assertThat(rows).as("shard %s", shard.getKey()).isEqualTo(of);
      } finally {
        dead.close();
      }
    }
  }

  // Whoever reads which part, and however the input is cut, each reading is in the results once.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 50, 1_000})
  void thePartsTogetherGiveTheWhole(int atMost) {
    Source source = cut();
    List<Part> parts = source.parts(new PartSizes(1, atMost, 1));
    assertThat(parts).hasSizeBetween(1, atMost);
    assertThat(parts).extracting(Part::name).doesNotHaveDuplicates().isSorted();
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Part part : parts) {
      Source its = source.shard(part.range());
      assertThat(its.division()).isEqualTo(Division.WHOLE);
      assertThat(its.bounded()).isTrue();
      try (SourceReader reader = its.open()) {
        rows.addAll(read(reader, expected().size()));
      }
    }
    assertThat(rows).isEqualTo(expected());
    assertThat(context().malformed()).hasSize(expectedMalformed());
  }

  // A device dies without a word, and another one goes on with its part from the last commit.
  @Test
  void whoeverOpensAPartAfterAnotherGoesOnFromItsPosition() {
    Source source = cut();
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Part part : source.parts(new PartSizes(1, 3, 1))) {
      byte[] position;
      try (SourceReader dead = source.shard(part.range()).open()) {
        position = dead.position();
        while (!dead.finished()) {
          Batch batch = dead.poll(System.nanoTime());
          if (batch != null) {
            append(batch, rows);
            position = dead.position();
            break;
          }
        }
      }
      try (SourceReader next = source.shard(part.range()).open()) {
        next.seek(position);
        rows.addAll(read(next, expected().size()));
      }
    }
    assertThat(rows).isEqualTo(expected());
  }

  @Test
  void aReaderMayBeClosedTwiceAndUnread() {
    SourceReader reader = source().open();
    reader.close();
    reader.close();
    SourceReader read = source().open();
    read.poll(System.nanoTime());
    read.close();
    read.close();
  }

  /** The next rows, up to that many where the table does not end. */
  private List<List<@Nullable Object>> read(SourceReader reader, int wanted) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (isBounded() ? !reader.finished() : rows.size() < wanted) {
      assertThat(System.nanoTime()).as("gave up after %d rows", rows.size()).isLessThan(deadline);
      Batch batch = reader.poll(System.nanoTime());
      if (batch != null) {
        append(batch, rows);
      } else {
        LockSupport.parkNanos(1_000_000);
      }
    }
    return isBounded() ? rows : rows.subList(0, wanted);
  }

  private static void append(Batch batch, List<List<@Nullable Object>> rows) {
    assertThat(batch.rows()).isPositive();
    for (int row = 0; row < batch.rows(); row++) {
      rows.add(batch.row(row));
    }
  }
}

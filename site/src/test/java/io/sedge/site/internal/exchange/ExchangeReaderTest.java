package io.sedge.site.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Rows;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import io.sedge.ledger.TaskId;
import io.sedge.site.Progress;
import io.sedge.site.RowsCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExchangeReaderTest {
  private static final Schema SCHEMA = Schema.builder().add("n", Type.BIGINT).build();
  private static final RowsCodec CODEC = new RowsCodec(SCHEMA);
  private static final String TABLE = "partial";

  private final Direct ledger = new Direct();
  private final Map<String, Long> sequences = new HashMap<>();
  private final Map<String, Long> epochs = new HashMap<>();
  private List<String> producers = List.of("t/a", "t/b");
  private ExchangeReader reader;

  /** A ledger whose commands are carried out at once. */
  private static final class Direct implements Ledger {
    private final StateMachine machine = new StateMachine();
    private long index;

    @Override
    public CompletableFuture<Answer> submit(Command command) {
      index++;
      return CompletableFuture.completedFuture(
          machine.apply(index, new Envelope(1, index, 1, List.of(command))).answers().getFirst());
    }

    @Override
    public <T> T read(Function<? super SiteState, ? extends T> query) {
      return query.apply(machine.state());
    }

    @Override
    public <T> CompletableFuture<T> readAt(
        long at, Function<? super SiteState, ? extends T> query) {
      return CompletableFuture.completedFuture(read(query));
    }
  }

  @BeforeEach
  void site() {
    done(new Command.RegisterDevice("d", "", Map.of()));
    removeAnother();
    done(new Command.SubmitJob("j", ""));
    for (String shard : List.of("t/a", "t/b")) {
      epochs.put(shard, done(new Command.AssignTask(new TaskId("j", shard), "d", 0)));
    }
    reader = reader();
  }

  /** Rows of later jobs are numbered on from those of one that was removed. */
  private void removeAnother() {
    done(new Command.SubmitJob("another", ""));
    done(new Command.SubmitJob("another", "replaced"));
    done(new Command.SubmitJob("another", "again"));
    done(new Command.SetJobState("another", 3, JobState.STOPPED, ""));
    done(new Command.RemoveJob("another", true));
  }

  private long done(Command command) {
    Answer answer = ledger.submit(command).join();
    assertThat(answer).isInstanceOf(Answer.Done.class);
    return ((Answer.Done) answer).value();
  }

  private ExchangeReader reader() {
    return new ExchangeReader(
        TABLE,
        CODEC,
        new BlockCursor(ledger, "j", Channel.EXCHANGE),
        () -> producers,
        new Acknowledgements(ledger, "j", Channel.EXCHANGE, List.of(TABLE)));
  }

  private static Batch batch(long... numbers) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    LongStream.of(numbers).forEach(builder::addRow);
    return builder.build();
  }

  private void commit(String shard, String table, Progress progress, Batch... batches) {
    long sequence = sequences.merge(shard, 1L, Long::sum);
    byte[] block = new ExchangeBlock(progress, List.of(batches)).encode(CODEC);
    done(
        new Command.Commit(
            new TaskId("j", shard),
            epochs.get(shard),
            sequence,
            Map.of(),
            List.of(),
            List.of(new Rows(Channel.EXCHANGE, table, 1, block))));
  }

  private void commit(String shard, long watermark, Batch... batches) {
    commit(shard, TABLE, new Progress(watermark, false), batches);
  }

  private List<Long> drain() {
    List<Long> numbers = new ArrayList<>();
    for (Batch next = reader.poll(0); next != null; next = reader.poll(0)) {
      numbers.addAll(numbers(next));
    }
    return numbers;
  }

  private static List<Long> numbers(@Nullable Batch batch) {
    List<Long> numbers = new ArrayList<>();
    if (batch != null) {
      for (int row = 0; row < batch.rows(); row++) {
        numbers.add((Long) batch.column(0).value(row));
      }
    }
    return numbers;
  }

  @Test
  void theWatermarkIsThatOfTheSlowestShardAndWaitsForOneThatHasGivenNothing() {
    commit("t/a", 50, batch(1, 2), batch(3));
    assertThat(drain()).containsExactly(1L, 2L, 3L);
    assertThat(reader.watermark()).isEqualTo(Long.MIN_VALUE);
    commit("t/b", 20, batch(4));
    commit("t/b", "another", new Progress(Long.MAX_VALUE, false), batch(99));
    assertThat(drain()).containsExactly(4L);
    assertThat(reader.watermark()).isEqualTo(20);
    commit("t/b", 70);
    assertThat(drain()).isEmpty();
    assertThat(reader.watermark()).isEqualTo(50);
  }

  @Test
  void aShardThatIsIdleHoldsNothingBackAndOneThatComesBackTakesNothingBack() {
    commit("t/a", 50);
    commit("t/b", TABLE, new Progress(10, true));
    assertThat(drain()).isEmpty();
    assertThat(reader.watermark()).isEqualTo(50);
    assertThat(reader.isIdle()).isFalse();
    commit("t/a", TABLE, new Progress(50, true));
    assertThat(drain()).isEmpty();
    assertThat(reader.isIdle()).isTrue();
    commit("t/b", 30, batch(7));
    assertThat(drain()).containsExactly(7L);
    assertThat(reader.isIdle()).isFalse();
    assertThat(reader.watermark()).as("never falls").isEqualTo(50);
  }

  @Test
  void itEndsWhenAllShardsHave() {
    assertThat(drain()).isEmpty();
    commit("t/a", Long.MAX_VALUE, batch(1));
    assertThat(drain()).containsExactly(1L);
    assertThat(reader.finished()).isFalse();
    commit("t/b", Long.MAX_VALUE);
    assertThat(drain()).isEmpty();
    assertThat(reader.finished()).isTrue();
    assertThat(reader.watermark()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aShardThatIsStartedAnewTakesBackNothingThatItPromised() {
    commit("t/a", Long.MAX_VALUE, batch(1));
    commit("t/b", 20, batch(2));
    commit("t/a", Long.MIN_VALUE);
    assertThat(drain()).containsExactly(1L, 2L);
    assertThat(reader.watermark()).isEqualTo(20);
  }

  @Test
  void withoutAnyShardItHasNeitherAWatermarkNorAnEnd() {
    producers = List.of();
    assertThat(drain()).isEmpty();
    assertThat(reader.watermark()).isEqualTo(Long.MIN_VALUE);
    assertThat(reader.finished()).isFalse();
    assertThat(reader.isIdle()).isFalse();
  }

  @Test
  void itGoesOnFromAPositionInTheMiddleOfABlock() {
    commit("t/a", 10, batch(1), batch(2), batch(3));
    commit("t/b", 20, batch(4));
    assertThat(numbers(reader.poll(0))).containsExactly(1L);
    assertThat(reader.watermark()).isEqualTo(Long.MIN_VALUE);
    byte[] position = reader.position();
    reader = reader();
    reader.seek(position);
    assertThat(drain()).containsExactly(2L, 3L, 4L);
    byte[] end = reader.position();
    assertThat(reader.watermark()).isEqualTo(10);
    reader = reader();
    reader.seek(end);
    assertThat(reader.watermark()).as("known from the position").isEqualTo(10);
    assertThat(drain()).isEmpty();
  }

  @Test
  void whatIsAcknowledgedGoes() {
    commit("t/a", 10, batch(1));
    commit("t/b", 10);
    drain();
    assertThat(exchangeBytes()).isPositive();
    reader.acknowledge(reader.position());
    assertThat(exchangeBytes()).isZero();
  }

  private long exchangeBytes() {
    return ledger.read(state -> state.rowBytes(Channel.EXCHANGE));
  }
}

package io.sedge.site.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.codec.RowsCodec;
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
import io.sedge.task.Progress;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private List<String> away = List.of();
  private Optional<Alignment> alignment = Optional.empty();
  private boolean scarce;
  private boolean exchangeFull;
  private boolean exchangeTight;
  private long now;
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
    public CompletableFuture<Answer> tell(Command command) {
      return CompletableFuture.completedFuture(machine.tell(command));
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
    return reader(
        TABLE, new Acknowledgements(ledger, "j", Channel.EXCHANGE, List.of(TABLE), _ -> true));
  }

  private ExchangeReader reader(String table, Acknowledgements acknowledgements) {
    return new ExchangeReader(
        table,
        CODEC,
        new BlockCursor(ledger, "j", Channel.EXCHANGE, _ -> true, () -> {}),
        () -> new Producers.Known(producers, away),
        acknowledgements,
        alignment);
  }

  private static Batch batch(long... numbers) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    LongStream.of(numbers).forEach(builder::addRow);
    return builder.build();
  }

  /** One that no other is encoded with. */
  private static Batch whole(long number) {
    return batch(LongStream.generate(() -> number).limit(Batch.TARGET_ROWS).toArray());
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
    for (Batch next = reader.poll(now); next != null; next = reader.poll(now)) {
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
  void itDoesNotEndBeforeAShardThatIsAwayHas() {
    producers = List.of("t/a");
    away = List.of("t/b");
    commit("t/a", 20, batch(1));
    assertThat(drain()).containsExactly(1L);
    assertThat(reader.watermark()).as("it is not waited for").isEqualTo(20);
    commit("t/a", Long.MAX_VALUE);
    assertThat(drain()).isEmpty();
    assertThat(reader.finished()).isFalse();
    assertThat(reader.isIdle()).isTrue();
    producers = List.of("t/a", "t/b");
    away = List.of();
    commit("t/b", Long.MAX_VALUE, batch(2));
    assertThat(drain()).containsExactly(2L);
    assertThat(reader.finished()).isTrue();
  }

  /** It went away after its last row; or it was removed meanwhile. */
  @Test
  void itEndsWithoutAShardThatIsAwayButHasEnded() {
    commit("t/a", Long.MAX_VALUE, batch(1));
    commit("t/b", Long.MAX_VALUE);
    producers = List.of("t/a");
    away = List.of("t/b", "t/c");
    assertThat(drain()).containsExactly(1L);
    assertThat(reader.finished()).isFalse();
    away = List.of("t/b");
    assertThat(drain()).isEmpty();
    assertThat(reader.finished()).isTrue();
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
    commit("t/a", 10, whole(1), whole(2), whole(3));
    commit("t/b", 20, batch(4));
    assertThat(numbers(reader.poll(0))).containsOnly(1L).hasSize(Batch.TARGET_ROWS);
    assertThat(reader.watermark()).isEqualTo(Long.MIN_VALUE);
    byte[] position = reader.position();
    reader = reader();
    reader.seek(position);
    assertThat(drain()).containsOnly(2L, 3L, 4L).hasSize(2 * Batch.TARGET_ROWS + 1);
    byte[] end = reader.position();
    assertThat(reader.watermark()).isEqualTo(10);
    reader = reader();
    reader.seek(end);
    assertThat(reader.watermark()).as("known from the position").isEqualTo(10);
    assertThat(drain()).isEmpty();
  }

  private void align() {
    alignment =
        Optional.of(
            new Alignment(
                new ExchangeCapacity() {
                  @Override
                  public boolean isScarce() {
                    return scarce;
                  }

                  @Override
                  public boolean isExchangeFull() {
                    return exchangeFull;
                  }

                  @Override
                  public boolean isExchangeTight() {
                    return exchangeTight;
                  }
                }));
    reader = reader();
  }

  /** As Kafka Streams takes the record of the least time: then least is kept of who is ahead. */
  @Test
  void whereRowsWaitForAWatermarkTheSlowestShardIsReadFirst() {
    align();
    commit("t/a", 50, batch(1));
    commit("t/a", 60, batch(2));
    commit("t/b", 20, batch(3));
    commit("t/b", 30, batch(4));
    commit("t/b", 70, batch(5));
    assertThat(drain()).containsExactly(1L, 3L, 4L, 5L, 2L);
    assertThat(reader.watermark()).isEqualTo(60);
  }

  @Test
  void whileRoomIsScarceNothingIsTakenOfAShardThatIsAhead() {
    align();
    commit("t/a", 50_000_000, batch(1));
    commit("t/b", 20_000_000, batch(2));
    drain();
    scarce = true;
    commit("t/a", 60_000_000, batch(3));
    assertThat(drain()).isEmpty();
    assertThat(reader.isHeld()).isTrue();
    assertThat(reader.waitsFor())
        .isEqualTo(
            "task t/b has come to 1970-01-01T00:00:20; readings of other tasks, from"
                + " 1970-01-01T00:00:50 on, wait for it");
    commit("t/b", 40_000_000, batch(4));
    assertThat(drain()).containsExactly(4L);
    commit("t/b", 55_000_000, batch(5));
    assertThat(drain()).containsExactly(5L, 3L);
    assertThat(reader.isHeld()).isFalse();
    assertThat(reader.waitsFor()).isEmpty();
  }

  /** Else the slowest shard, whose rows find no room, and those ahead would wait for each other. */
  @Test
  void whenTheExchangeIsFullRowsAreTakenThoughTheyAreAhead() {
    align();
    scarce = true;
    commit("t/a", 50, batch(1));
    commit("t/a", 60, batch(2));
    assertThat(drain()).containsExactly(1L);
    exchangeFull = true;
    assertThat(drain()).containsExactly(2L);
  }

  /** What the slowest has to give may be larger than what is left, though that is not little. */
  @Test
  void whereALargeCommitMayFindNoRoomABlockThatIsAheadIsTakenNowAndThen() {
    align();
    scarce = true;
    commit("t/a", 50, batch(1));
    commit("t/a", 60, batch(2));
    commit("t/a", 70, batch(3));
    commit("t/b", 20, batch(4));
    assertThat(drain()).containsExactly(1L, 4L);
    now += Alignment.PATIENCE_NANOS;
    assertThat(drain()).as("all find room").isEmpty();
    exchangeTight = true;
    assertThat(drain()).containsExactly(2L);
    now += Alignment.PATIENCE_NANOS - 1;
    assertThat(drain()).isEmpty();
    commit("t/b", 30, batch(5));
    assertThat(drain()).as("the slowest gives").containsExactly(5L);
    now++;
    assertThat(drain()).isEmpty();
    now += Alignment.PATIENCE_NANOS;
    assertThat(drain()).containsExactly(3L);
  }

  @Test
  void aShardThatIsIdleOrGoneIsNotWaitedFor() {
    align();
    scarce = true;
    commit("t/a", 50, batch(1));
    commit("t/a", 60, batch(2));
    commit("t/b", TABLE, new Progress(20, true));
    assertThat(drain()).containsExactly(1L, 2L);
    commit("t/b", 30, batch(3));
    commit("t/a", 70, batch(4));
    assertThat(drain()).as("it is back").containsExactly(3L);
    producers = List.of("t/a");
    assertThat(drain()).containsExactly(4L);
    assertThat(reader.watermark()).isEqualTo(70);
  }

  @Test
  void whatIsTakenBehindABlockThatIsAheadIsKnownToTheNextReaderAndGoes() {
    align();
    commit("t/a", 50, batch(1));
    commit("t/b", 20, batch(2));
    drain();
    reader.acknowledge(reader.position());
    assertThat(exchangeBytes()).isZero();
    scarce = true;
    commit("t/a", 60, batch(3));
    long ofAhead = exchangeBytes();
    commit("t/b", 30, batch(4));
    commit("t/b", 40, whole(5), whole(6));
    assertThat(numbers(reader.poll(0))).containsExactly(4L);
    assertThat(numbers(reader.poll(0))).containsOnly(5L);
    byte[] inTheMiddle = reader.position();
    reader.acknowledge(inTheMiddle);
    align();
    reader.seek(inTheMiddle);
    byte[] again = reader.position();
    align();
    reader.seek(again);
    assertThat(drain()).as("a position taken before anything is read").containsOnly(6L);
    assertThat(reader.watermark()).isEqualTo(40);
    reader.acknowledge(reader.position());
    assertThat(exchangeBytes()).as("what is ahead alone is left").isEqualTo(ofAhead);
    commit("t/b", 80, batch(7));
    assertThat(drain()).containsExactly(7L, 3L);
    reader.acknowledge(reader.position());
    assertThat(exchangeBytes()).isZero();
  }

  /** Of a reader that took all blocks in the ledger's order. */
  @Test
  void aPositionOfVersionOneIsGoneOnFrom() throws IOException {
    commit("t/a", 10, whole(1), whole(2));
    commit("t/b", 20, batch(3));
    drain();
    long first = ledger.read(state -> state.rows("j", Channel.EXCHANGE, 0, 1)).getFirst().last();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream output = new DataOutputStream(bytes);
    output.writeByte(1);
    output.writeLong(first - 1);
    output.writeInt(1);
    output.writeInt(1);
    output.writeUTF("t/b");
    output.writeLong(5);
    output.writeBoolean(false);
    align();
    reader.seek(bytes.toByteArray());
    assertThat(drain()).containsOnly(2L, 3L).hasSize(Batch.TARGET_ROWS + 1);
    assertThat(reader.watermark()).isEqualTo(10);
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

  /** Nobody asks a table that has ended, or whose rows a join cannot take yet. */
  @Test
  void whatIsTakenOfOneTableGoesThoughNobodyAsksAnother() {
    Acknowledgements acknowledgements =
        new Acknowledgements(ledger, "j", Channel.EXCHANGE, List.of("another", TABLE), _ -> true);
    ExchangeReader another = reader("another", acknowledgements);
    reader = reader(TABLE, acknowledgements);
    commit("t/a", "another", new Progress(Long.MAX_VALUE, false), batch(1));
    commit("t/b", "another", new Progress(Long.MAX_VALUE, false));
    assertThat(numbers(another.poll(0))).containsExactly(1L);
    assertThat(another.poll(0)).isNull();
    assertThat(another.finished()).isTrue();
    another.acknowledge(another.position());
    assertThat(exchangeBytes()).as("though the other has not asked for anything").isZero();
    commit("t/a", 50, batch(2));
    commit("t/b", 60, batch(3));
    assertThat(drain()).containsExactly(2L, 3L);
    reader.acknowledge(reader.position());
    assertThat(exchangeBytes()).isZero();
  }

  @Test
  void whatOneTableHasNotTakenStaysThoughAnotherIsFurther() {
    Acknowledgements acknowledgements =
        new Acknowledgements(ledger, "j", Channel.EXCHANGE, List.of("another", TABLE), _ -> true);
    ExchangeReader another = reader("another", acknowledgements);
    reader = reader(TABLE, acknowledgements);
    commit("t/a", 10, batch(1));
    commit("t/a", "another", new Progress(10, false), batch(2));
    commit("t/a", 20, batch(3));
    commit("t/b", 20, batch(4));
    drain();
    reader.acknowledge(reader.position());
    List<String> left =
        ledger.read(state -> state.rows("j", Channel.EXCHANGE, 0, Integer.MAX_VALUE)).stream()
            .map(block -> block.task().shard() + " " + block.rows().table())
            .toList();
    assertThat(left)
        .as("of a task all behind its first")
        .containsExactly("t/a another", "t/a partial");
    assertThat(numbers(another.poll(0))).containsExactly(2L);
    another.acknowledge(another.position());
    assertThat(exchangeBytes()).isZero();
  }
}

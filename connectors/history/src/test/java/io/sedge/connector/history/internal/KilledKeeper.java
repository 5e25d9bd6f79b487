package io.sedge.connector.history.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.Keep;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A process that keeps numbers as fast as it can, with its commits in a file, until somebody kills
 * it: {@code DATA LEDGER}.
 */
final class KilledKeeper {
  /** So small that a segment is made every few commits. */
  static final Keep KEEP =
      new Keep(Duration.ofDays(7), 4 << 20, 1, Keep.WhenFull.FAIL, Duration.ofSeconds(1), 0);

  private KilledKeeper() {}

  static Store.Setting setting(Path data) {
    Path directory = StoreFiles.directory(data, "plant", "readings", "all");
    return new Store.Setting(directory, "readings", KEEP, Simulation.SHAPE);
  }

  /** The last position that was committed, if any was. */
  static byte @Nullable [] committed(Path ledger) throws Exception {
    if (!Files.exists(ledger)) {
      return null;
    }
    try (RandomAccessFile file = new RandomAccessFile(ledger.toFile(), "r")) {
      byte[] end = new byte[(int) Math.min(4_096, file.length())];
      file.seek(file.length() - end.length);
      file.readFully(end);
      String text = new String(end, UTF_8);
      List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
      return lines.isEmpty() ? null : HexFormat.of().parseHex(lines.getLast());
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[0]);
    Path ledger = Path.of(arguments[1]);
    byte[] committed = committed(ledger);
    SourceReader reader =
        KeepingReader.open(
            new Numbers(), setting(data), TestContext.live(data), new Worker(), Disk.real());
    if (committed != null) {
      reader.seek(committed);
    }
    Random random = new Random();
    try (FileChannel log =
        FileChannel.open(
            ledger,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      while (true) {
        for (int polls = random.nextInt(4); polls >= 0; polls--) {
          Batch _ = reader.poll(System.nanoTime());
        }
        byte[] position = reader.position();
        log.write(ByteBuffer.wrap((HexFormat.of().formatHex(position) + "\n").getBytes(UTF_8)));
        reader.acknowledge(position);
      }
    }
  }

  /** One, two, three … */
  private static final class Numbers implements SourceReader {
    private final Random random = new Random();
    private long next = 1;

    @Override
    public Batch poll(long nowNanos) {
      int count = 1 + random.nextInt(200);
      Batch batch = Simulation.rows(next, count);
      next += count;
      return batch;
    }

    @Override
    public boolean finished() {
      return false;
    }

    @Override
    public byte[] position() {
      return ByteBuffer.allocate(8).putLong(next).array();
    }

    @Override
    public void seek(byte[] position) {
      next = ByteBuffer.wrap(position).getLong();
    }

    @Override
    public void acknowledge(byte[] position) {}

    @Override
    public SourceCounters counters() {
      return new SourceCounters(next - 1, 0, 0, 0);
    }

    @Override
    public void close() {}
  }
}

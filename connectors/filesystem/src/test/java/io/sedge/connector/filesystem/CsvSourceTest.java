package io.sedge.connector.filesystem;

import com.github.luben.zstd.ZstdOutputStream;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A directory of CSV files read once: plain and packed, quotes, line ends, a file without one. */
final class CsvSourceTest extends SourceConformance {
  private static final int ROWS_PER_FILE = 6_000;

  @TempDir private Path directory;
  private TestContext context;
  private final List<List<Object>> expected = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    context = new TestContext(directory);
    Path data = Files.createDirectories(directory.resolve("data/sub"));
    write(data.resolve("../a.csv"), "a");
    write(data.resolve("../b.csv.gz"), "b");
    Files.writeString(data.resolve("../c.csv"), "id,value\n");
    write(data.resolve("../c.csv.zst"), "c");
    write(data.resolve("d.csv"), "d");
    Files.writeString(data.resolve("_hidden.csv"), "not read");
    Files.writeString(data.resolve(".hidden.csv"), "not read");
  }

  private void write(Path file, String name) throws IOException {
    StringBuilder text = new StringBuilder("value,other,id\r\n");
    for (int i = 0; i < ROWS_PER_FILE; i++) {
      String id = name + i % 7;
      if (i == 10) {
        text.append("broken\n\n");
      }
      if (i % 5 == 0) {
        id = "line 1\nline \"" + i % 11 + "\"";
        text.append(i).append(",x,\"").append(id.replace("\"", "\"\"")).append("\"\r\n");
      } else {
        text.append(i).append(",,").append(id).append('\n');
      }
      expected.add(List.of(id, (double) i));
    }
    text.setLength(text.length() - 1);
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    try (OutputStream out = packing(file)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OutputStream packing(Path file) throws IOException {
    OutputStream plain = Files.newOutputStream(file);
    String name = file.toString();
    return name.endsWith(".gz")
        ? new GZIPOutputStream(plain)
        : name.endsWith(".zst") ? new ZstdOutputStream(plain) : plain;
  }

  @Override
  protected ConnectorFactory connector() {
    return new FilesystemConnector();
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(
        Schema.builder().add("id", Type.STRING).add("value", Type.DOUBLE).build(),
        Map.of("path", "data", "format", "csv", "csv.header", "true"));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected List<List<Object>> expected() {
    return expected;
  }

  @Override
  protected int expectedMalformed() {
    return 4;
  }
}

package io.sedge.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Both engines over the same tables. One thread. */
final class Oracle implements AutoCloseable {
  private final Flink flink = new Flink();
  private final Sedge sedge;
  private final String tables;

  /**
   * @param directory where the tables' files are made
   */
  Oracle(Path directory, long seed) throws IOException {
    new TestData(seed).write(directory);
    sedge = new Sedge(directory);
    try (InputStream stream = Oracle.class.getResourceAsStream("/tables.sql")) {
      if (stream == null) {
        throw new IOException("tables.sql is not among the test resources");
      }
      tables =
          new String(stream.readAllBytes(), StandardCharsets.UTF_8)
              .replace("${dir}", directory.toAbsolutePath().toString());
    }
  }

  List<List<@Nullable Object>> flink(String query, boolean batch) throws IOException {
    String script = script(query);
    return Changes.carriedOut((batch ? flink.batch(script) : flink.stream(script)).getLast());
  }

  List<List<@Nullable Object>> sedge(String query) throws Exception {
    return Changes.carriedOut(sedge.run(script(query)));
  }

  /** What differs between the two answers, for people; empty if nothing does. */
  List<String> differences(String query, boolean batch) throws Exception {
    return Same.differences(flink(query, batch), sedge(query));
  }

  String script(String query) {
    return tables + "\n" + query + ";\n";
  }

  @Override
  public void close() {
    flink.close();
  }
}

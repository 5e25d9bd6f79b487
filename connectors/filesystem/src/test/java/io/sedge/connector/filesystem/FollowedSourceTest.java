package io.sedge.connector.filesystem;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A file of JSON lines that is followed; its last line is not complete. */
final class FollowedSourceTest extends SourceConformance {
  @TempDir private Path directory;
  private TestContext context;
  private final List<List<Object>> expected = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    context = new TestContext(directory);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      text.append("{\"id\":\"pump-%d\",\"value\":%d}\n".formatted(i % 9, i));
      expected.add(List.of("pump-" + i % 9, (double) i));
    }
    Files.writeString(directory.resolve("log.json"), text + "{\"id\":\"half");
  }

  @Override
  protected ConnectorFactory connector() {
    return new FilesystemConnector();
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(
        Schema.builder().add("id", Type.STRING).add("value", Type.DOUBLE).build(),
        Map.of(
            "path",
            directory.resolve("log.json").toUri().toString(),
            "format",
            "json",
            "source.follow",
            "true"));
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
  protected boolean isBounded() {
    return false;
  }
}

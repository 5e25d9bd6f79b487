package io.sedge.connector.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Sink;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where not all files may be used, each is asked for, and none is opened before. */
class FileAccessTest {
  private static final Schema SCHEMA = Schema.builder().add("id", Type.STRING).build();

  @TempDir Path root;
  private Path inside;
  private TestContext context;
  private final List<FileAccess.Use> uses = new ArrayList<>();

  @BeforeEach
  void make() throws IOException {
    root = root.toRealPath();
    inside = Files.createDirectory(root.resolve("inside"));
    Files.writeString(Files.createDirectory(root.resolve("outside")).resolve("secret"), "x\n");
    context = new TestContext(root).withFiles(this::check);
  }

  private void check(String what, Path path, FileAccess.Use use) {
    uses.add(use);
    try {
      Path real = Files.exists(path) ? path.toRealPath() : path;
      if (!real.startsWith(inside)) {
        throw new ConnectorException(ConnectorException.Kind.USER, what + " not " + path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TableDescriptor table(String path) {
    return Tables.table(SCHEMA, Map.of("path", path, "format", "csv"));
  }

  private SourceReader read(String path) {
    return new FilesystemConnector().source(table(path), context).orElseThrow().open();
  }

  @Test
  void aPathOutsideIsRefusedBeforeAnythingIsOpened() {
    for (String path : List.of("outside", "outside/secret", "inside/../outside")) {
      assertThatThrownBy(() -> new FilesystemConnector().source(table(path), context))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("'path' not");
      assertThatThrownBy(() -> new FilesystemConnector().sink(table(path), context))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("'path' not");
    }
    assertThat(uses).contains(FileAccess.Use.READ, FileAccess.Use.WRITE);
  }

  @Test
  void aFileThatALinkLeadsToIsAskedForToo() throws Exception {
    Files.createSymbolicLink(inside.resolve("link"), root.resolve("outside/secret"));
    try (SourceReader reader = read("inside")) {
      assertThatThrownBy(() -> reader.poll(0))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("not " + inside.resolve("link"));
    }
  }

  @Test
  void aLinkThatComesAfterTheSinkWasMadeIsNotFollowed() throws Exception {
    var made = new FilesystemConnector().sink(table("inside/out"), context).orElseThrow();
    Files.createSymbolicLink(inside.resolve("out"), root.resolve("outside"));
    assertThatThrownBy(
            () -> {
              try (Sink sink = made.open(Delivery.OF_A_RUN)) {
                throw new AssertionError("opened " + sink);
              }
            })
        .isInstanceOf(ConnectorException.class);
    assertThat(root.resolve("outside")).isDirectoryNotContaining(file -> !file.endsWith("secret"));
  }
}

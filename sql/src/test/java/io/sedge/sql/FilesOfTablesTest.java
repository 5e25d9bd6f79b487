package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Option;
import io.sedge.connector.ScriptFiles;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.learning.ModelProviders;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An option that names a file of the job: a connector or a format gets where its content is. */
class FilesOfTablesTest {
  private static final String SCRIPT =
      """
      CREATE TABLE readings (a INT) WITH (
        'connector' = 'described',
        'path' = 'data',
        'descriptors' = 'plant.desc');
      SELECT a FROM readings;
      """;

  /** A table of memory with a file beside it. */
  private record Described(ConnectorFactory memory) implements ConnectorFactory {
    @Override
    public String name() {
      return "described";
    }

    @Override
    public List<Option> options() {
      return List.of(
          Option.required("path", Option.Kind.STRING, "Where it is."),
          Option.required("descriptors", Option.Kind.FILE, "What its rows are."));
    }

    @Override
    public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
      return memory.source(table, context);
    }

    @Override
    public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
      return memory.sink(table, context);
    }
  }

  private static Job compile(ScriptFiles files) throws SqlException {
    ConnectorFactory memory = MemoryConnector.all().get("memory");
    return new SqlCompiler(
            Map.of("described", new Described(memory)),
            Map.of(),
            ModelProviders.of(),
            InstantSource.system(),
            FileAccess.EVERYTHING)
        .compile("plant.sql", SCRIPT, Path.of("."), Map.of(), files);
  }

  @Test
  void theTableIsToldWhereTheContentOfTheFileIs() throws SqlException {
    Job job =
        compile(
            (what, path) -> {
              assertThat(what).isEqualTo("table readings: 'descriptors'");
              return Path.of("/copies", path);
            });
    assertThat(job.sources().get("readings").table().options())
        .containsEntry("descriptors", "/copies/plant.desc")
        .containsEntry("path", "data");
  }

  @Test
  void aFileThatMayNotBeReadIsToldWithItsLine() {
    assertThatThrownBy(
            () ->
                compile(
                    (what, path) -> {
                      throw new ConnectorException(
                          ConnectorException.Kind.USER, what + " = '" + path + "' is not allowed");
                    }))
        .isInstanceOf(SqlException.class)
        .hasMessageContaining("4:")
        .hasMessageContaining("table readings: 'descriptors' = 'plant.desc' is not allowed");
  }
}

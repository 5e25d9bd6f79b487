package io.sedge.sql;

import static io.sedge.sql.Run.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import io.sedge.learning.ModelProviders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions that a user has written in Java. */
class UserFunctionsTest {
  private static final String TABLE =
      """
      CREATE TABLE t (id STRING, n INT, v DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'memory');
      """;

  private static Run rows() {
    return new Run()
        .row("t", "a", 1, 1.0, at("00:00:01"))
        .row("t", null, null, 4.0, at("00:00:02"))
        .row("t", "b", 3, 9.0, at("00:00:07"));
  }

  @Test
  void aScalarFunctionIsCalledByItsArgumentsTypesAndNullsForPrimitivesGiveNull() {
    assertThat(
            rows()
                .rows(
                    TABLE
                        + """
                        CREATE FUNCTION doubled AS 'io.sedge.sql.Doubler' LANGUAGE JAVA;
                        SELECT doubled(id), doubled(n) FROM t
                        """))
        .containsExactly("aa, 2", "nothing, null", "bb, 6");
  }

  @Test
  void anAggregateWorksOverSharedSlicesOfHoppingWindows() {
    assertThat(
            rows()
                .rows(
                    TABLE
                        + """
                        CREATE TEMPORARY FUNCTION spread AS 'io.sedge.sql.Spread';
                        SELECT spread(v) FROM TABLE(
                          HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
                        GROUP BY window_start, window_end
                        """))
        .containsExactly("3.0", "8.0", "0.0");
  }

  @Test
  void anAccumulatorIsWrittenAndReadAsState() throws IOException {
    Job job =
        Run.compile(
            TABLE + "CREATE FUNCTION spread AS 'io.sedge.sql.Spread'; SELECT spread(v) FROM t");
    AggregateCall call =
        new AggregateCall(
            "SPREAD",
            List.of(0),
            List.of(Type.DOUBLE),
            List.of(),
            -1,
            false,
            Type.DOUBLE,
            "spread");
    Accumulators first = job.aggregates().find(call).orElseThrow().get();
    first.ensureSlots(1);
    ColumnBuilder values = ColumnBuilder.of(Type.DOUBLE);
    values.addDouble(2);
    values.addDouble(7);
    Column column = values.build();
    first.add(new int[] {0, 1}, new int[] {0, 0}, 2, List.of(column));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    first.write(0, new DataOutputStream(bytes));

    Accumulators second = job.aggregates().find(call).orElseThrow().get();
    second.ensureSlots(1);
    second.read(0, new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    ColumnBuilder result = ColumnBuilder.of(Type.DOUBLE);
    second.result(0, result);
    assertThat(result.build().value(0)).isEqualTo(5.0);
  }

  @Test
  void aClassIsLoadedFromAJar(@TempDir Path directory) throws Exception {
    Path jar = directory.resolve("functions.jar");
    try (JarOutputStream output = new JarOutputStream(Files.newOutputStream(jar));
        InputStream bytes =
            Objects.requireNonNull(Doubler.class.getResourceAsStream("Doubler.class"))) {
      output.putNextEntry(new JarEntry("io/sedge/sql/Doubler.class"));
      bytes.transferTo(output);
    }
    String script =
        TABLE
            + "CREATE FUNCTION d AS 'io.sedge.sql.Doubler' LANGUAGE JAVA USING JAR 'functions.jar';"
            + " SELECT d(n) FROM t";
    SqlCompiler compiler = new SqlCompiler(MemoryConnector.all(), Map.of(), InstantSource.system());
    assertThat(compiler.compile("test.sql", script, directory).sinks()).hasSize(1);
  }

  /** Its code could do everything that the device may. */
  @Test
  void aJarThatMayNotBeReadIsNotLoaded() {
    FileAccess nothing =
        (what, path, use) -> {
          throw new ConnectorException(
              ConnectorException.Kind.USER, "%s: no %s of %s".formatted(what, use, path));
        };
    SqlCompiler compiler =
        new SqlCompiler(
            MemoryConnector.all(), Map.of(), ModelProviders.of(), InstantSource.system(), nothing);
    String script =
        TABLE + "CREATE FUNCTION d AS 'io.sedge.sql.Doubler' USING JAR 'x.jar'; SELECT d(n) FROM t";
    assertThatThrownBy(() -> compiler.compile("test.sql", script, Path.of("jars")))
        .isInstanceOfSatisfying(
            SqlException.class,
            e ->
                assertThat(e.problems().getFirst().message())
                    .isEqualTo("the jar: no READ of jars/x.jar"));
  }

  @Test
  void whatCannotBeUsedIsSaidInWords() {
    assertThat(problem("CREATE FUNCTION f AS 'io.sedge.sql.Nothing'; SELECT f(n) FROM t"))
        .isEqualTo(
            "line 2:22: function f: there is no class io.sedge.sql.Nothing in the class path");
    assertThat(problem("CREATE FUNCTION f AS 'io.sedge.sql.Forgetful'; SELECT f(id) FROM t"))
        .startsWith(
            "line 2:22: function f: field `values` of its accumulator All is a List, which cannot"
                + " be kept as state; allowed are boolean, byte");
    assertThat(problem("CREATE FUNCTION f AS 'io.sedge.sql.Doubler'; SELECT f(ts) FROM t"))
        .isEqualTo(
            "line 2:46: function f does not take (TIMESTAMP(3)); it takes (INT) or (STRING)");
    assertThat(
            problem(
                "CREATE FUNCTION f AS 'io.sedge.sql.Doubler' USING JAR 'no.jar'; SELECT 1 FROM t"))
        .isEqualTo("line 2:22: function f: there is no file no.jar");
  }

  private static String problem(String script) {
    SqlCompiler compiler = new SqlCompiler(MemoryConnector.all(), Map.of(), InstantSource.system());
    try {
      compiler.compile(
          "test.sql",
          TABLE.replace("\n", " ").stripTrailing() + "\n" + script,
          Path.of("."),
          Map.of());
      return "accepted";
    } catch (SqlException e) {
      return e.problems().getFirst().toString();
    }
  }
}

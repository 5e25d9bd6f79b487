package io.sedge.connector.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Guarantee;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said against tables, without a database. */
final class JdbcOptionsTest {
  private static final Schema SCHEMA =
      Schema.builder().add("id", Type.BIGINT).add("text", Type.STRING).build();

  private final TestContext context = new TestContext(Path.of("/plant"));

  private static TableDescriptor table(Schema schema, List<Integer> key, String given) {
    Map<String, String> options = new HashMap<>();
    options.put("url", "jdbc:postgresql://nowhere.invalid:5432/results");
    options.put("table-name", "results");
    for (String one : given.isEmpty() ? new String[0] : given.split("\\|", -1)) {
      int equals = one.indexOf('=');
      options.put(one.substring(0, equals), one.substring(equals + 1));
    }
    return new TableDescriptor("readings", schema, Map.of(), key, List.of(), options, "test.sql:1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          url=jdbc:oracle:thin:@x ~ 'url' = 'jdbc:oracle:thin:@x' is not jdbc:postgresql://host:5432/name, jdbc:mariadb://host:3306/name,
          url=jdbc:sqlserver://h;user=sa;password=kept ~ 'url' = 'jdbc:sqlserver://h;…' is not jdbc:postgresql://host:5432/name
          url=sqlserver://h;password=kept ~ 'url' = 'sqlserver://h;…' is not jdbc:postgresql://host:5432/name
          url=jdbc:postgresql://host ~ is not jdbc:postgresql://host:5432/name
          url=jdbc:mariadb:loadbalance://a/b ~ is not jdbc:postgresql://host:5432/name
          url=jdbc:postgresql://h/d?socketFactory=x.Y ~ 'url' has the parameter 'socketFactory', which is not one of ApplicationName,
          url=jdbc:mariadb://h/d?allowLocalInfile=true ~ 'url' has the parameter 'allowLocalInfile', which is not one of
          url=jdbc:mysql://h/d?password=kept ~ 'url' has the parameter 'password', which is not one of characterEncoding,
          url=jdbc:sqlite::memory: ~ is not jdbc:sqlite: and the path of a file, without parameters
          url=jdbc:sqlite:a.db?enable_load_extension=true ~ is not jdbc:sqlite: and the path of a file, without parameters
          url=jdbc:sqlite:file:a.db ~ is not jdbc:sqlite: and the path of a file, without parameters
          url=jdbc:sqlite:a.db|username=me|password=kept ~ SQLite has no logins; leave 'username' and 'password' out
          username=me ~ 'username' needs 'password' too
          password=kept ~ 'password' needs 'username' too
          table-name=a.b.c ~ 'table-name' = 'a.b.c' is not a table or schema.table
          table-name=a. ~ 'table-name' = 'a.' is not a table or schema.table
          """)
  void aTableIsRefusedWithItsOptionAndWhatToDo(String given, String said) {
    JdbcConnector connector = new JdbcConnector();
    TableDescriptor table = table(SCHEMA, List.of(), given);
    assertThatThrownBy(() -> connector.source(table, context))
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table readings: ")
        .hasMessageContaining(said)
        .hasMessageNotContaining("kept");
    assertThatThrownBy(() -> connector.sink(table, context)).hasMessageContaining(said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          scan.fetch-size=-1 ~ 'scan.fetch-size' = '-1' is not between 0 and 1000000
          scan.partition.column=id ~ option 'scan.partition.num' is missing; the four of 'scan.partition' belong together
          scan.partition.column=text|scan.partition.num=2|scan.partition.lower-bound=1|scan.partition.upper-bound=2 ~ 'scan.partition.column' = 'text' is no column of the table that is a whole number
          scan.partition.column=id|scan.partition.num=0|scan.partition.lower-bound=1|scan.partition.upper-bound=2 ~ 'scan.partition.num' = '0' is not between 1 and 1000
          scan.partition.column=id|scan.partition.num=2|scan.partition.lower-bound=3|scan.partition.upper-bound=2 ~ 'scan.partition.lower-bound' = '3' is above 'scan.partition.upper-bound'
          """)
  void aSourceIsRefusedLikewise(String given, String said) {
    assertThatThrownBy(() -> new JdbcConnector().source(table(SCHEMA, List.of(), given), context))
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table readings: ")
        .hasMessageContaining(said);
  }

  @Test
  void aColumnThatNoDatabaseHasIsRefused() {
    Schema schema = Schema.builder().add("values", Type.array(Type.INT)).build();
    assertThatThrownBy(() -> new JdbcConnector().sink(table(schema, List.of(), ""), context))
        .hasMessage(
            "table readings: column `values` is ARRAY<INT>, which connector 'jdbc' cannot read or"
                + " write; declare it as STRING, or leave it out");
  }

  @Test
  void aSinkSaysWhatItTakesAndPromises() {
    JdbcConnector connector = new JdbcConnector();
    SinkFactory append = connector.sink(table(SCHEMA, List.of(), ""), context).orElseThrow();
    assertThat(append.changelogMode()).isEqualTo(ChangelogMode.INSERT_ONLY);
    assertThat(append.guarantee()).isEqualTo(Guarantee.EXACTLY_ONCE);
    assertThat(append.updatesRemedy().orElseThrow()).contains("PRIMARY KEY");
    SinkFactory upsert =
        connector
            .sink(table(SCHEMA, List.of(0), "sink.delivery-guarantee=at-least-once"), context)
            .orElseThrow();
    assertThat(upsert.changelogMode()).isEqualTo(ChangelogMode.UPSERT);
    assertThat(upsert.guarantee()).isEqualTo(Guarantee.AT_LEAST_ONCE);
  }

  // A script is not trusted with the device.
  @Test
  void filesOfTheUrlAreAskedFor() {
    List<String> asked = new ArrayList<>();
    FileAccess access = (what, path, use) -> asked.add("%s %s %s".formatted(what, path, use));
    TestContext guarded = new TestContext(Path.of("/plant")).withFiles(access);
    JdbcConnector connector = new JdbcConnector();
    String database = "url=jdbc:sqlite:../other.db";
    assertThat(connector.source(table(SCHEMA, List.of(), database), guarded)).isPresent();
    assertThat(connector.sink(table(SCHEMA, List.of(), database), guarded)).isPresent();
    assertThat(
            connector.source(
                table(SCHEMA, List.of(), "url=jdbc:postgresql://h/d?sslrootcert=ca.pem"), guarded))
        .isPresent();
    assertThat(asked)
        .containsExactly(
            "table readings: 'url' /other.db READ",
            "table readings: 'url' /other.db WRITE",
            "table readings: 'sslrootcert' of 'url' /plant/ca.pem READ");
  }

  @Test
  void whatFlinkSaysOfDriversIsTaken() {
    String given =
        "url=jdbc:mysql://h:3306/d?useSSL=false&useUnicode=true&rewriteBatchedStatements=true"
            + "|driver=com.mysql.cj.jdbc.Driver|scan.auto-commit=false|sink.parallelism=2";
    assertThat(new JdbcConnector().sink(table(SCHEMA, List.of(), given), context)).isPresent();
  }

  @Test
  void aSourceIsDividedByItsPartitions() {
    String given =
        "scan.partition.column=id|scan.partition.num=4|scan.partition.lower-bound=1"
            + "|scan.partition.upper-bound=100";
    JdbcConnector connector = new JdbcConnector();
    assertThat(connector.source(table(SCHEMA, List.of(), ""), context).orElseThrow().division())
        .isEqualTo(Division.WHOLE);
    assertThat(connector.source(table(SCHEMA, List.of(), given), context).orElseThrow().division())
        .isEqualTo(Division.BY_PART);
  }
}

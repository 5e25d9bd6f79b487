package io.sedge.connector.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class AlarmOptionsTest {
  private final TestContext context = new TestContext(Path.of(""));

  private static Arguments wrong(String message, String... options) {
    Map<String, String> given = new java.util.TreeMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    return Arguments.of(given, "table hot: " + message);
  }

  static Stream<Arguments> wrongOptions() {
    return Stream.of(
        wrong(
            "'value-column' = 'text' is no numeric column of the table, which has 'v'",
            "value-column",
            "text"),
        wrong(
            "'condition-column' = 'nothing' is no BOOLEAN column of the table, which has 'bad'",
            "condition-column",
            "nothing"),
        wrong(
            "'time-column' = 'v' is no TIMESTAMP or TIMESTAMP_LTZ column of the table, which has"
                + " 'ts'",
            "time-column",
            "v"),
        wrong(
            "'high-limit' = '80' needs the column that it is for: write 'value-column' = '…'",
            "high-limit",
            "80"),
        wrong(
            "'condition-column' = 'bad' and limits are two ways to say when to raise: leave one of"
                + " them out",
            "condition-column",
            "bad",
            "value-column",
            "v",
            "low-limit",
            "1"),
        wrong(
            "'deadband' = '1' is the deadband of a limit: write 'high-limit' or 'low-limit' too",
            "deadband",
            "1"),
        wrong(
            "'deadband' = '-1' is below 0",
            "deadband",
            "-1",
            "value-column",
            "v",
            "high-limit",
            "1"),
        wrong(
            "'high-limit' = '10' leaves no room for normal values above 'low-limit' = '9' with this"
                + " deadband",
            "value-column",
            "v",
            "high-limit",
            "10",
            "low-limit",
            "9",
            "deadband",
            "1"),
        wrong(
            "'clear-after' = '1 s' is for rows that only raise; here 'condition-column' says when"
                + " it clears: write 'off-delay'",
            "condition-column",
            "bad",
            "clear-after",
            "1 s"),
        wrong(
            "'clear-after' = '0 s' clears at once; write how long, such as 1 min",
            "clear-after",
            "0 s"),
        wrong("'on-delay' = '2 d' is longer than a day", "on-delay", "2 d"),
        wrong(
            "'webhook.url' = 'ftp://x' is not an address such as https://host/path",
            "webhook.url",
            "ftp://x"),
        wrong(
            "'webhook.url' = 'HTTP://x/' would send the authorization in clear: write https://",
            "webhook.url",
            "HTTP://x/",
            "webhook.authorization",
            "a"),
        wrong(
            "'webhook.url' = 'http://x/' would send the authorization in clear: write https://",
            "webhook.url",
            "http://x/",
            "webhook.authorization",
            "a"),
        wrong(
            "'webhook.authorization' goes with 'webhook.url', which is missing",
            "webhook.authorization",
            "a"),
        wrong("'email.to' goes with 'email.server', which is missing", "email.to", "a@b.c"),
        wrong(
            "'email.to' = 'nobody at home' is not an address such as shift@plant.example",
            "email.to",
            "nobody at home",
            "email.from",
            "a@b.c",
            "email.server",
            "smtp://x"),
        wrong(
            "'email.username' goes with 'email.password', which is missing",
            "email.to",
            "a@b.c",
            "email.from",
            "a@b.c",
            "email.server",
            "smtp://x",
            "email.username",
            "u"));
  }

  @ParameterizedTest
  @MethodSource("wrongOptions")
  void whatCannotBeIsSaidWithWhatToWrite(Map<String, String> options, String message) {
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> new AlarmConnector().sink(TestTable.with(options), context))
        .withMessage(message)
        .matches(e -> e.kind() == ConnectorException.Kind.USER);
  }

  @Test
  void aTableWithoutAKeyIsRefused() {
    TableDescriptor table =
        new TableDescriptor(
            "hot", TestTable.SCHEMA, Map.of(), List.of(), List.of(), Map.of(), "plant.sql:3");
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> new AlarmConnector().sink(table, context))
        .withMessage(
            "table hot: connector 'alarm' has one alarm for each key: write PRIMARY KEY (machine)"
                + " NOT ENFORCED");
  }

  // A webhook's address may be a secret as a whole; its value comes when the table is opened.
  @Test
  void anAddressMayBeASecret() {
    assertThat(
            new AlarmConnector()
                .sink(TestTable.with(Map.of("webhook.url", "${secret:hook}")), context))
        .isPresent();
  }
}

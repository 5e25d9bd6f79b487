package io.sedge.connector.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Guarantee;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said against tables, without a server. */
final class HttpOptionsTest {
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("flow", Type.INT).build();

  private final TestContext context = new TestContext(Path.of("."));

  /** Options are given as {@code key=value|key=value}. */
  private static TableDescriptor table(String base, String more) {
    Map<String, String> options = new HashMap<>();
    for (String one : (base + "|" + more).split("\\|", -1)) {
      int equals = one.indexOf('=');
      options.put(one.substring(0, equals), one.substring(equals + 1));
    }
    return Tables.table(SCHEMA, options);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          url=ftp://a/b ~ 'url' = 'ftp://a/b' does not begin with http:// or https://
          url=http:///b ~ 'url' = 'http:///b' has no host
          url=http://ann:hush@a/b ~ 'url' = 'http://…@a/b' has a login in it; use 'username' and 'password', or 'bearer-token'
          url=http://a/{nothing} ~ names a column `nothing` that the table does not have
          url=http://{machine}.a/b ~ has a column where the server stands
          url=http://a:{flow}/b ~ 'url' = 'http://a:{flow}/b' has no host
          url=http://a/b c ~ is not an address
          url=http://a/#b ~ has a #fragment, which no server sees
          url=http://a/b c?key=hush ~ 'url' = 'http://a/b c?…' is not an address
          url=htp://a/b?hush ~ 'url' = 'htp://a/b?…' does not begin with http:// or https://
          url=a/b?hush ~ 'url' = 'a/b?…' does not begin with http:// or https://
          username=ann ~ 'username' needs 'password' too
          username=ann|password=x|bearer-token=y ~ 'username' and 'bearer-token' are two logins; leave one out
          login.client-id=a ~ 'login.client-id' needs 'login.url' too
          login.url=nowhere|login.client-id=a|login.client-secret=b ~ 'login.url' = 'nowhere' does not begin with http:// or https://
          tls.ca=ca.pem ~ 'tls.ca' = 'ca.pem' needs a 'url' that begins with https://
          url=https://a|tls.key=a.pem ~ 'tls.key' needs 'tls.certificate' too
          headers.Content-Length=5 ~ 'headers.Content-Length' is no header that can be set
          headers.X Y=5 ~ 'headers.X Y' is no header that can be set
          request-timeout=0 s ~ 'request-timeout' = '0 s' is no time at all
          body=array|format=csv ~ 'body' = 'array' needs 'format' = 'json'
          """)
  void whatIsWrongWithBoth(String more, String expected) {
    assertThatThrownBy(
            () ->
                new HttpConnector()
                    .sink(table("url=http://a/b|format=json", more), context)
                    .orElseThrow())
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table readings: ")
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          url=http://a/{machine}?key=hush ~ 'url' = 'http://a/{machine}?…' has a column
          url=http://a/{machine} ~ has a column, and this table is read: there is no row
          poll-interval=1 ms ~ 'poll-interval' = '1 ms' is less than 10 ms
          max-answer=1 gb ~ 'max-answer' = '1 gb' is not between 1 and 67108864 bytes
          json-pointer=items ~ 'json-pointer' = 'items' is not a JSON Pointer; it begins with a slash: /data/items
          json-pointer=/items|format=csv ~ needs 'body' = 'array', which is for json
          sink.method=PUT ~ 'sink.method' = 'PUT' is for a table that is written, and this one is read
          """)
  void whatIsWrongWithASource(String more, String expected) {
    assertWrong(new HttpConnector(), "url=http://a/b|format=json", more, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          listen=8088 ~ 'listen' = '8088' is not an address and a port: 127.0.0.1:8088
          listen=localhost:70000 ~ is not an address and a port: 127.0.0.1:8088
          path=rows ~ 'path' = 'rows' is not a path: /readings
          tls.certificate=a.pem ~ 'tls.certificate' = 'a.pem' needs 'tls.key' too
          tls.ca=a.pem ~ 'tls.ca' = 'a.pem' needs 'tls.certificate' and 'tls.key' too
          bearer-token= ~ 'bearer-token' = '' is blank: everybody knows it
          listen=0.0.0.0:8088|tls.certificate=a.pem|tls.key=b.pem|bearer-token=  ~ 'bearer-token'
          signature.secret= ~ 'signature.secret' = '' is blank: everybody knows it
          signature.header=a b ~ 'signature.header' = 'a b' is no name of a header
          idempotency.window=5000 ~ 'idempotency.window' = '5000' is not between 0 and 4096
          answer-timeout=0 s ~ 'answer-timeout' = '0 s' is no time at all
          """)
  void whatIsWrongWithAWebhook(String more, String expected) {
    assertWrong(new WebhookConnector(), "listen=127.0.0.1:8088|format=json", more, expected);
  }

  private void assertWrong(ConnectorFactory connector, String base, String more, String expected) {
    assertThatThrownBy(() -> connector.source(table(base, more), context))
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table readings: ")
        .hasMessageContaining(expected);
  }

  @Test
  void aFileOfTheDeviceIsReadOnlyWhereThatIsAllowed() {
    TestContext closed =
        new TestContext(Path.of("."))
            .withFiles(
                (what, _, _) -> {
                  throw new ConnectorException(
                      ConnectorException.Kind.USER, what + " may not be read");
                });
    assertThatThrownBy(
            () ->
                new HttpConnector()
                    .sink(table("url=https://a/b|format=json", "tls.ca=ca.pem"), closed))
        .hasMessage("table readings: 'tls.ca' may not be read");
  }

  // The bytes of a number may be line ends.
  @Test
  void binaryNumbersStandOnNoLines() {
    Schema number = Schema.builder().add("flow", Type.INT).build();
    Map<String, String> binary = Map.of("url", "http://a/b", "format", "raw", "body", "lines");
    assertThatThrownBy(() -> new HttpConnector().source(Tables.table(number, binary), context))
        .hasMessage(
            "table readings: 'body' = 'lines' needs a format of text: a row of this 'raw' may have"
                + " line ends");
    Map<String, String> text = new HashMap<>(binary);
    text.put("raw.encoding", "text");
    assertThat(new HttpConnector().source(Tables.table(number, text), context)).isPresent();
    Schema string = Schema.builder().add("line", Type.STRING).build();
    assertThat(new HttpConnector().source(Tables.table(string, binary), context)).isPresent();
  }

  // It is known only when the table is opened.
  @Test
  void aSecretMayStandInTheQuery() {
    assertThat(
            new HttpConnector()
                .source(table("url=http://a/b?key=${secret:weather}", "format=json"), context))
        .isPresent();
  }

  // Nobody can ask a server whether it keeps keys.
  @Test
  void theSinkPromisesOnceOrMore() {
    assertThat(
            new HttpConnector()
                .sink(table("url=http://a/b", "format=json"), context)
                .orElseThrow()
                .guarantee())
        .isEqualTo(Guarantee.AT_LEAST_ONCE);
  }
}

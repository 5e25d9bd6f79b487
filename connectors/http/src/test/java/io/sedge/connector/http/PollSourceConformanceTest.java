package io.sedge.connector.http;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.http.testkit.Faulty;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** A service has no past, so its answers cannot be read again; all else holds. */
final class PollSourceConformanceTest extends SourceConformance {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("machine", Type.STRING)
          .add("flow", Type.DOUBLE)
          .add("ts", Type.timestampLtz(3).notNull())
          .build();

  private final Faulty server = new Faulty();
  private final TestContext context = new TestContext(Path.of("."));

  PollSourceConformanceTest() {
    server.answers(
        aResponse()
            .withBody(
                """
                [{"machine": "a", "flow": 1.5}, {"machine": "b", "flow": 2.5},
                 {"machine": "c", "flow": 3.5}]\
                """));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected ConnectorFactory connector() {
    return new HttpConnector();
  }

  // So slow that it is asked once while the suite looks at it.
  @Override
  protected TableDescriptor table() {
    return Tables.table(
        SCHEMA,
        Map.of(2, "timestamp"),
        Map.of("url", server.url("/machines"), "format", "json", "poll-interval", "1 h"));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected List<List<Object>> expected() {
    long micros = context.clock().millis() * 1_000;
    return List.of(List.of("a", 1.5, micros), List.of("b", 2.5, micros), List.of("c", 3.5, micros));
  }

  @Override
  protected boolean isBounded() {
    return false;
  }

  @Override
  protected boolean isReplayable() {
    return false;
  }
}

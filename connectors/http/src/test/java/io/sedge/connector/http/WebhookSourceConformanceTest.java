package io.sedge.connector.http;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.http.testkit.Caller;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What was sent and not committed is sent again by its sender, not by the table; all else holds.
 */
final class WebhookSourceConformanceTest extends SourceConformance {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("machine", Type.STRING)
          .add("flow", Type.DOUBLE)
          .add("ts", Type.timestampLtz(3).notNull())
          .build();

  private final int port = Caller.freePort();
  private final Caller caller = new Caller("http://127.0.0.1:%d/rows".formatted(port));
  private final TestContext context = new TestContext(Path.of("."));
  private volatile boolean ended;

  /** Sends until it is told that it is counted, as a sender should. */
  @BeforeEach
  void send() {
    Thread.ofVirtual()
        .start(
            () -> {
              int status = 0;
              while (!ended && status != 200) {
                status =
                    caller
                        .send(
                            """
                            [{"machine": "a", "flow": 1.5}, {"machine": "b", "flow": 2.5},
                             {"machine": "c", "flow": 3.5}]\
                            """)
                        .join()
                        .statusCode();
              }
            });
  }

  @AfterEach
  void stop() {
    ended = true;
    caller.close();
  }

  @Override
  protected ConnectorFactory connector() {
    return new WebhookConnector();
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(
        SCHEMA,
        Map.of(2, "timestamp"),
        Map.of("listen", "127.0.0.1:" + port, "path", "/rows", "format", "json"));
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

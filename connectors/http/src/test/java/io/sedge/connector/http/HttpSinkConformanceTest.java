package io.sedge.connector.http;

import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.http.testkit.Faulty;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Each row is there once, whoever dies when, for a server that keeps the keys of requests. */
final class HttpSinkConformanceTest {
  abstract static class Rows extends SinkConformance {
    private static final Schema SCHEMA = Schema.builder().add("number", Type.INT).build();

    private final Map<String, String> options;
    private final Faulty server = new Faulty();
    private TestContext context;

    Rows(Map<String, String> options) {
      this.options = options;
    }

    @BeforeEach
    void begin(@TempDir Path directory) {
      context = TestContext.live(directory);
      server.takesAll();
    }

    @AfterEach
    void stop() {
      server.close();
    }

    @Override
    protected ConnectorFactory connector() {
      return new HttpConnector();
    }

    @Override
    protected TableDescriptor table() {
      Map<String, String> all = new HashMap<>(options);
      all.put("url", server.url("/rows"));
      return Tables.table(SCHEMA, all);
    }

    @Override
    protected TestContext context() {
      return context;
    }

    @Override
    protected Object[] row(int number) {
      return new Object[] {number};
    }

    @Override
    protected List<String> written() {
      Set<String> keys = new HashSet<>();
      List<String> rows = new ArrayList<>();
      for (LoggedRequest request : server.requests()) {
        if (keys.add(request.getHeader("Idempotency-Key"))) {
          rows.addAll(rows(request.getBodyAsString()));
        }
      }
      return rows;
    }

    abstract List<String> rows(String body);
  }

  @Nested
  final class AsJson extends Rows {
    AsJson() {
      super(Map.of("format", "json"));
    }

    @Override
    protected String expected(int number) {
      return "{\"number\":%d}".formatted(number);
    }

    @Override
    List<String> rows(String body) {
      return List.of(body.substring(1, body.length() - 1).split("(?<=}),"));
    }
  }

  @Nested
  final class AsCsv extends Rows {
    AsCsv() {
      super(Map.of("format", "csv", "sink.request.max-rows", "7"));
    }

    @Override
    protected String expected(int number) {
      return Integer.toString(number);
    }

    @Override
    List<String> rows(String body) {
      return body.lines().toList();
    }
  }
}

package io.sedge.center.internal.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sedge.center.CenterException;
import io.sedge.center.api.Failure;
import io.sedge.center.store.QueryResult;
import io.sedge.center.store.RowReceiver;
import io.sedge.center.store.RowReceiver.Column;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the result of a query row by row, and failures. Stateless. */
public final class ResultReader {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private static final int GATEWAY_TIMEOUT = 504;

  private ResultReader() {}

  /**
   * Reads a result.
   *
   * @throws CenterException if the query failed after its first rows
   */
  public static QueryResult read(InputStream body, RowReceiver receiver)
      throws IOException, CenterException {
    long rows = 0;
    boolean complete = false;
    try (JsonParser json = JSON.createParser(body)) {
      expect(json.nextToken(), JsonToken.START_OBJECT);
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String field = json.currentName();
        JsonToken value = json.nextToken();
        switch (field) {
          case "columns" -> receiver.columns(List.of(json.readValueAs(Column[].class)));
          case "rows" -> {
            expect(value, JsonToken.START_ARRAY);
            rows = rows(json, receiver);
          }
          case "complete" -> complete = json.getBooleanValue();
          case "error" -> {
            Failure failure = json.readValueAs(Failure.class);
            throw exception(GATEWAY_TIMEOUT, failure);
          }
          default -> json.skipChildren();
        }
      }
    }
    return new QueryResult(rows, 0, complete);
  }

  private static long rows(JsonParser json, RowReceiver receiver) throws IOException {
    long rows = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json.currentToken(), JsonToken.START_ARRAY);
      List<@Nullable Object> row = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        row.add(
            json.currentToken() == JsonToken.VALUE_NULL ? null : json.readValueAs(Object.class));
      }
      receiver.row(row);
      rows++;
    }
    return rows;
  }

  private static void expect(@Nullable JsonToken token, JsonToken expected) throws IOException {
    if (token != expected) {
      throw new IOException("the answer has %s in place of %s".formatted(token, expected));
    }
  }

  /** What an answer says that is a failure. */
  public static CenterException failure(int status, InputStream body) throws IOException {
    byte[] bytes = body.readNBytes(1 << 16);
    try {
      return exception(status, JSON.readValue(bytes, Failure.class));
    } catch (IOException e) {
      return new CenterException(
          FailureCode.CONNECTION_FAILED,
          "an answer with status %d that is not one of a center: is that its address?"
              .formatted(status),
          e);
    }
  }

  private static CenterException exception(int status, Failure failure) {
    return new CenterException(code(status), failure.message());
  }

  private static FailureCode code(int status) {
    return switch (status) {
      case 401, 403 -> FailureCode.JOIN_REFUSED;
      case 404 -> FailureCode.UNKNOWN_NAME;
      case 409 -> FailureCode.NAME_TAKEN;
      case 413, 429, GATEWAY_TIMEOUT -> FailureCode.LIMIT_REACHED;
      case 500 -> FailureCode.INTERNAL_ERROR;
      case 503 -> FailureCode.CONNECTION_FAILED;
      default -> FailureCode.USAGE;
    };
  }
}

package io.sedge.format.avro.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A registry of schemas, asked over HTTP as Confluent's, Karapace and Apicurio's compatible API are
 * ({@code GET /schemas/ids/7}, {@code POST /subjects/S/versions}). Redirections are not followed: a
 * login is for the server that was named. Any thread; blocks, {@link #TIMEOUT} for each request.
 */
final class Registry implements AutoCloseable {
  /** For a request, connecting included. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** A schema is no larger, nor is what the registry says of an error. */
  private static final long MAX_ANSWER_BYTES = 4 << 20;

  /** A schema may use those of so many others. */
  private static final int MAX_REFERENCES = 100;

  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The registry has answered that there is no such schema, or takes none such. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message, null, false, false);
    }
  }

  private final List<URI> urls;
  private final Optional<String> authorization;
  private final HttpClient client;

  /**
   * @param table for the names of threads
   * @param tls with certificates of the table's own; null: the JDK's
   */
  Registry(String table, RegistryOptions options, @Nullable SSLContext tls) {
    this.urls = options.urls();
    this.authorization = options.authorization();
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(TIMEOUT)
            .executor(
                Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("schema-registry-" + table + "-", 0).factory()));
    if (tls != null) {
      builder.sslContext(tls);
    }
    this.client = builder.build();
  }

  /** What messages call it. */
  String place() {
    return urls.getFirst().toString();
  }

  /**
   * The schema of a number.
   *
   * @throws RefusedException if there is none, none of Avro, or none that may be had
   * @throws IOException if the registry does not answer, or says that it cannot now
   */
  Schema schema(int id) throws IOException, InterruptedException, RefusedException {
    JsonNode answer = ask("/schemas/ids/" + id, null, "has no schema " + id);
    Schema.Parser parser = new Schema.Parser();
    try {
      addReferences(answer, parser, new HashSet<>());
      return parse(answer, parser);
    } catch (RuntimeException | StackOverflowError e) {
      // The library has exceptions of many kinds for what is no schema.
      throw new RefusedException(
          "schema %d of the registry is no schema of Avro: %s"
              .formatted(id, SchemaMapping.firstLine(e)));
    }
  }

  private static Schema parse(JsonNode answer, Schema.Parser parser) throws RefusedException {
    String kind = answer.path("schemaType").asText("AVRO");
    if (!kind.equals("AVRO")) {
      throw new RefusedException("the registry has a schema of %s, not of Avro".formatted(kind));
    }
    return parser.parse(answer.path("schema").asText());
  }

  /** Those of other subjects that a schema uses by name must be known before it. */
  private void addReferences(JsonNode answer, Schema.Parser parser, Set<String> seen)
      throws IOException, InterruptedException, RefusedException {
    for (JsonNode reference : answer.path("references")) {
      String path =
          "/subjects/%s/versions/%d"
              .formatted(
                  encoded(reference.path("subject").asText()), reference.path("version").asInt());
      if (!seen.add(path)) {
        continue;
      }
      if (seen.size() > MAX_REFERENCES) {
        throw new RefusedException(
            "a schema of the registry uses more than %d others".formatted(MAX_REFERENCES));
      }
      JsonNode other = ask(path, null, "has not " + path);
      addReferences(other, parser, seen);
      var _ = parse(other, parser);
    }
  }

  /**
   * The number of a schema under a subject.
   *
   * @param register whether it is registered if it is not there
   * @throws RefusedException if the registry does not take it, or has it not
   * @throws IOException if the registry does not answer, or says that it cannot now
   */
  int id(String subject, Schema schema, boolean register)
      throws IOException, InterruptedException, RefusedException {
    String path = "/subjects/" + encoded(subject) + (register ? "/versions" : "");
    String body = JSON.createObjectNode().put("schema", schema.toString()).toString();
    JsonNode id =
        ask(path, body, "has not this schema under the subject '%s'".formatted(subject)).path("id");
    if (!id.isInt()) {
      throw new IOException("its answer has no id; is it a registry of schemas?");
    }
    return id.asInt();
  }

  /** URLEncoder makes a + of a blank, which is one in a query only. */
  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** Asks one after the other, until one has it. What one refuses is refused if no other has it. */
  private JsonNode ask(String path, @Nullable String body, String nothing)
      throws IOException, InterruptedException, RefusedException {
    IOException failure = new IOException("there is no registry");
    RefusedException refusal = null;
    for (URI url : urls) {
      try {
        return answer(request(URI.create(url + path), body), nothing);
      } catch (IOException e) {
        failure = e;
      } catch (RefusedException e) {
        refusal = e;
      }
    }
    if (refusal != null) {
      throw refusal;
    }
    throw failure;
  }

  private HttpRequest request(URI address, @Nullable String body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address).header("Accept", MEDIA_TYPE);
    authorization.ifPresent(value -> request.header("Authorization", value));
    if (body != null) {
      request.header("Content-Type", MEDIA_TYPE).POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return request.build();
  }

  private JsonNode answer(HttpRequest request, String nothing)
      throws IOException, InterruptedException, RefusedException {
    HttpResponse<byte[]> response = exchange(request);
    int status = response.statusCode();
    JsonNode json = json(response.body());
    String said = json.path("message").asText("status " + status);
    return switch (status) {
      case 200 -> json;
      case 409, 422 -> throw new RefusedException("the registry refuses the schema: " + said);
      case 404 -> {
        // Its own has a code; that of another server at this address has none.
        if (json.has("error_code") || isFetch(request)) {
          throw new RefusedException("the registry %s: %s".formatted(nothing, said));
        }
        throw new IOException("it answers with 404: " + said);
      }
      case 400, 403 -> {
        if (isFetch(request)) {
          throw new RefusedException("the registry %s (%d): %s".formatted(nothing, status, said));
        }
        throw new IOException(
            "it refuses %s (%d): %s"
                .formatted(status == 403 ? "the login" : "the request", status, said));
      }
      case 401 -> throw new IOException("it refuses the login (401): " + said);
      default -> throw new IOException("it answers with %d: %s".formatted(status, said));
    };
  }

  /**
   * Whether one schema is asked for: an answer that may be of it alone must not hold up the records
   * of others.
   */
  private static boolean isFetch(HttpRequest request) {
    return request.method().equals("GET");
  }

  /** Waits for the whole answer: the JDK's time-out ends with its first bytes. */
  private HttpResponse<byte[]> exchange(HttpRequest request)
      throws IOException, InterruptedException, RefusedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, _ -> new LimitedBody(MAX_ANSWER_BYTES));
    try {
      return answer.get(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException(
          "it has not answered within %d s".formatted(TIMEOUT.toSeconds()));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LimitedBody.TooLargeException) {
        throw new RefusedException(
            "the registry answers with more than %,d bytes".formatted(MAX_ANSWER_BYTES));
      }
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } finally {
      var _ = answer.cancel(true);
    }
  }

  private static JsonNode json(byte[] body) {
    try {
      JsonNode json = JSON.readTree(body);
      return json == null ? JSON.nullNode() : json;
    } catch (JsonProcessingException e) {
      return JSON.nullNode(); // A proxy's page.
    } catch (IOException e) {
      throw new UncheckedIOException(e); // It is an array.
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}

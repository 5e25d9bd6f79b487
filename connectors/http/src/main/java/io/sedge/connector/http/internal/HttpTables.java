package io.sedge.connector.http.internal;

import com.fasterxml.jackson.core.JsonPointer;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Options;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Checks the declaration of a table and makes its source or sink. */
public final class HttpTables {
  static final String TIMESTAMP = "timestamp";
  static final String ADDRESS = "address";

  public static final Map<String, Type> METADATA =
      Map.of(TIMESTAMP, Type.timestampLtz(3).notNull(), ADDRESS, Type.STRING.notNull());

  static final int MOST_BODY_BYTES = 64 << 20;
  private static final int MOST_ROWS = 100_000;
  private static final Duration LEAST_INTERVAL = Duration.ofMillis(10);

  private final TableDescriptor table;
  private final ConnectorContext context;
  private final Options options;

  private HttpTables(TableDescriptor table, ConnectorContext context) {
    this.table = table;
    this.context = context;
    this.options =
        Options.of(
            table,
            Stream.concat(
                    HttpOptions.ALL.stream(), context.formats().options(table.options()).stream())
                .toList());
  }

  /**
   * The source of a table.
   *
   * @throws ConnectorException of kind USER if its options or columns do not fit
   */
  public static Source source(TableDescriptor table, ConnectorContext context) {
    HttpTables tables = new HttpTables(table, context);
    return new PollSource(tables.pollSettings());
  }

  /**
   * The sink of a table.
   *
   * @throws ConnectorException of kind USER if its options or columns do not fit
   */
  public static SinkFactory sink(TableDescriptor table, ConnectorContext context) {
    HttpTables tables = new HttpTables(table, context);
    return new HttpSinkFactory(tables.sinkSettings());
  }

  private PollSettings pollSettings() {
    refuse(HttpOptions.SINK_ONLY, "is for a table that is written, and this one is read");
    checkMetadata(table);
    UrlTemplate url = address(HttpOptions.URL);
    URI address =
        url.fixed()
            .orElseThrow(
                () ->
                    options.wrongAddress(
                        HttpOptions.URL, "has a column, and this table is read: there is no row"));
    Duration interval = options.duration(HttpOptions.INTERVAL);
    if (interval.compareTo(LEAST_INTERVAL) < 0) {
      throw options.wrong(HttpOptions.INTERVAL, "is less than 10 ms");
    }
    BodyForm form = BodyForm.of(table, context, options);
    PollSettings settings =
        new PollSettings(
            table,
            server(url),
            address,
            form,
            pointer(table, options, form),
            interval,
            (int) options.bytes(HttpOptions.MAX_ANSWER, 1, MOST_BODY_BYTES));
    context.formats().decoder(table, Formats.payloadColumns(table));
    return settings;
  }

  private SinkSettings sinkSettings() {
    refuse(HttpOptions.SOURCE_ONLY, "is for a table that is read, and this one is written");
    if (!table.metadata().isEmpty()) {
      throw Failures.user(
          "table %s: a table that is written has no METADATA columns".formatted(table.name()));
    }
    if (!table.primaryKey().isEmpty()) {
      throw Failures.user(
          "table %s: each row is sent, whatever its key; leave out the PRIMARY KEY"
              .formatted(table.name()));
    }
    UrlTemplate url = address(HttpOptions.URL);
    String idempotency = options.string(HttpOptions.IDEMPOTENCY_HEADER);
    checkHeader(HttpOptions.IDEMPOTENCY_HEADER, idempotency, "x");
    SinkSettings settings =
        new SinkSettings(
            table,
            server(url),
            url,
            options.choice(HttpOptions.METHOD),
            BodyForm.of(table, context, options),
            (int) options.integer(HttpOptions.MAX_ROWS, 1, MOST_ROWS),
            options.bytes(HttpOptions.MAX_BYTES, 1, MOST_BODY_BYTES),
            idempotency,
            !options.choice(HttpOptions.ON_REFUSED).equals(HttpOptions.SKIP),
            options.bytes(HttpOptions.QUEUE, 1, Long.MAX_VALUE));
    context.formats().encoder(table, Formats.payloadColumns(table));
    return settings;
  }

  private void refuse(List<String> keys, String why) {
    for (String key : keys) {
      if (options.has(key)) {
        throw options.wrong(key, why);
      }
    }
  }

  private UrlTemplate address(String key) {
    String text = options.string(key);
    try {
      return new UrlTemplate(text, table.schema());
    } catch (IllegalArgumentException e) {
      throw options.wrongAddress(key, String.valueOf(e.getMessage()));
    }
  }

  /** The metadata columns of both connectors. */
  static void checkMetadata(TableDescriptor table) {
    table
        .metadata()
        .forEach(
            (column, key) -> {
              Kind wanted = key.equals(TIMESTAMP) ? Kind.TIMESTAMP_LTZ : Kind.VARCHAR;
              if (table.schema().type(column).kind() != wanted) {
                throw Failures.user(
                    "table %s: column `%s` is %s, but METADATA FROM '%s' is %s"
                        .formatted(
                            table.name(),
                            table.schema().name(column),
                            table.schema().type(column),
                            key,
                            key.equals(TIMESTAMP) ? "TIMESTAMP_LTZ(3)" : "STRING"));
              }
            });
  }

  static JsonPointer pointer(TableDescriptor table, Options options, BodyForm form) {
    Optional<String> given = options.find(HttpOptions.POINTER);
    if (given.isPresent() && form != BodyForm.ARRAY) {
      throw options.wrong(HttpOptions.POINTER, "needs 'body' = 'array', which is for json");
    }
    try {
      return given.map(JsonPointer::compile).orElse(JsonPointer.empty());
    } catch (IllegalArgumentException e) {
      throw options.wrong(
          HttpOptions.POINTER, "is not a JSON Pointer; it begins with a slash: /data/items");
    }
  }

  private Server server(UrlTemplate url) {
    boolean encrypted = options.string(HttpOptions.URL).startsWith("https:");
    return new Server(
        table.name(),
        context,
        context.withoutSecrets(url.place()),
        headers(),
        options.duration(HttpOptions.CONNECT_TIMEOUT),
        positive(HttpOptions.TIMEOUT),
        tls(encrypted),
        login());
  }

  private Duration positive(String key) {
    Duration value = options.duration(key);
    if (value.isZero()) {
      throw options.wrong(key, "is no time at all");
    }
    return value;
  }

  private Map<String, String> headers() {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Content-Type", BodyForm.of(table, context, options).mediaType(table));
    headers.put("User-Agent", "sedge");
    table
        .options()
        .forEach(
            (key, value) -> {
              if (key.startsWith(HttpOptions.HEADERS)) {
                String name = key.substring(HttpOptions.HEADERS.length());
                checkHeader(key, name, value);
                headers.put(name, value);
              }
            });
    return headers;
  }

  /** The value may be a secret: it is not said. */
  private void checkHeader(String key, String name, String value) {
    try {
      HttpRequest.newBuilder(URI.create("http://localhost")).header(name, value);
    } catch (IllegalArgumentException e) {
      throw Failures.user(
          "table %s: '%s' is no header that can be set: its name or its value has characters that"
              .formatted(table.name(), key)
              .concat(" none may have, or the client itself sets it"));
    }
  }

  private Optional<TlsFiles> tls(boolean encrypted) {
    List<String> keys = List.of(HttpOptions.CA, HttpOptions.CERTIFICATE, HttpOptions.KEY);
    if (keys.stream().noneMatch(options::has)) {
      return Optional.empty();
    }
    if (!encrypted && !options.has(HttpOptions.LOGIN_URL)) {
      refuse(keys, "needs a 'url' that begins with https://");
    }
    together(HttpOptions.CERTIFICATE, HttpOptions.KEY);
    TlsFiles files =
        new TlsFiles(
            table.name(),
            context,
            options.find(HttpOptions.CA).map(Path::of),
            options
                .find(HttpOptions.CERTIFICATE)
                .map(
                    chain ->
                        new TlsFiles.Own(
                            Path.of(chain), Path.of(options.string(HttpOptions.KEY)))));
    files.check();
    return Optional.of(files);
  }

  private Login login() {
    List<String> ways =
        Stream.of(HttpOptions.USER, HttpOptions.TOKEN, HttpOptions.LOGIN_URL)
            .filter(options::has)
            .toList();
    if (ways.size() > 1) {
      throw Failures.user(
          "table %s: '%s' and '%s' are two logins; leave one out"
              .formatted(table.name(), ways.get(0), ways.get(1)));
    }
    together(HttpOptions.USER, HttpOptions.PASSWORD);
    together(HttpOptions.LOGIN_URL, HttpOptions.CLIENT_ID);
    together(HttpOptions.LOGIN_URL, HttpOptions.CLIENT_SECRET);
    if (options.has(HttpOptions.USER)) {
      return Login.basic(options.string(HttpOptions.USER), options.string(HttpOptions.PASSWORD));
    }
    if (options.has(HttpOptions.TOKEN)) {
      checkHeader(HttpOptions.TOKEN, "Authorization", options.string(HttpOptions.TOKEN));
      return Login.bearer(options.string(HttpOptions.TOKEN));
    }
    if (options.has(HttpOptions.LOGIN_URL)) {
      return new ClientCredentials(
          loginAddress(),
          options.string(HttpOptions.CLIENT_ID),
          options.string(HttpOptions.CLIENT_SECRET),
          options.find(HttpOptions.SCOPE),
          context::nanoTime);
    }
    return Login.NONE;
  }

  private URI loginAddress() {
    return address(HttpOptions.LOGIN_URL)
        .fixed()
        .orElseThrow(() -> options.wrongAddress(HttpOptions.LOGIN_URL, "has a column"));
  }

  private void together(String one, String other) {
    if (options.has(one) != options.has(other)) {
      boolean hasOne = options.has(one);
      throw Failures.user(
          "table %s: '%s' needs '%s' too"
              .formatted(table.name(), hasOne ? one : other, hasOne ? other : one));
    }
  }
}

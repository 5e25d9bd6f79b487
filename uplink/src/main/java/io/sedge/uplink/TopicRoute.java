package io.sedge.uplink;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where rows go that would else go to a center: topics of Kafka, one for each table. It is one
 * text, which a site keeps among its secrets in the place of a {@link SiteCredential}: properties,
 * of which those that begin with {@code sedge.} are its own, and the others are Kafka's. Immutable.
 *
 * @param site what the rows call the site
 * @param prefix what the names of the topics begin with; the rest is the name of the table
 * @param properties of Kafka's clients, by their own names; passwords and keys are among them
 */
public record TopicRoute(String site, String prefix, Map<String, String> properties) {
  /** What a row has before its own columns: who has sent it, and its place in what he sends. */
  public static final Schema ORIGIN =
      Schema.builder()
          .add("_site", Type.STRING.notNull())
          .add("_job", Type.STRING.notNull())
          .add("_stream", Type.STRING.notNull())
          .add("_seq", Type.BIGINT.notNull())
          .build();

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /** As Kafka takes it. */
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private static final Pattern PREFIX = Pattern.compile("[a-zA-Z0-9._-]{0,100}");

  private static final String OWN = "sedge.";
  private static final String ROUTE = OWN + "route";
  private static final String SITE = OWN + "site";
  private static final String TOPICS = OWN + "topics";
  private static final String KAFKA = "kafka";

  public TopicRoute {
    properties = Map.copyOf(properties);
  }

  /** Whether rows may call a site so. */
  public static boolean isName(String site) {
    return NAME.matcher(site).matches();
  }

  /** Whether names of topics may begin so. */
  public static boolean isPrefix(String prefix) {
    return PREFIX.matcher(prefix).matches();
  }

  /** The text that {@link #find} reads. */
  public String text() {
    Properties all = new Properties();
    all.putAll(properties);
    all.setProperty(ROUTE, KAFKA);
    all.setProperty(SITE, site);
    all.setProperty(TOPICS, prefix);
    StringWriter text = new StringWriter();
    try {
      all.store(text, null);
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory", e);
    }
    return text.toString()
        .lines()
        .filter(line -> !line.startsWith("#")) // When it was written.
        .sorted()
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** The one that a text is; empty if it is none, as the text of a {@link SiteCredential}. */
  public static Optional<TopicRoute> find(String text) {
    Properties all = new Properties();
    try {
      all.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // Something else that a person has set.
    }
    if (!KAFKA.equals(all.getProperty(ROUTE))
        || !all.containsKey(SITE)
        || !all.containsKey(TOPICS)) {
      return Optional.empty();
    }
    Map<String, String> properties = new TreeMap<>();
    for (String key : all.stringPropertyNames()) {
      if (!key.startsWith(OWN)) {
        properties.put(key, requireNonNull(all.getProperty(key)));
      }
    }
    return Optional.of(
        new TopicRoute(
            requireNonNull(all.getProperty(SITE)),
            requireNonNull(all.getProperty(TOPICS)),
            properties));
  }

  /** The brokers to begin with. */
  public String servers() {
    return properties.getOrDefault("bootstrap.servers", "");
  }

  /** The connector that writes a table's rows. */
  public static String connector(TableDescriptor table) {
    return table.primaryKey().isEmpty() ? KAFKA : "upsert-kafka";
  }

  /**
   * A table as its {@link #connector} takes it: with {@link #ORIGIN} before its columns. Rows are
   * written once. Those of a writer stay in their order: without a key they are all in one
   * partition, with a key those of one key are. The key has the site before its own columns, so
   * that sites do not replace rows of each other.
   *
   * @param name what the table is called at the far end
   * @param queueBytes what may be under way
   * @throws ConnectorException of kind USER if no topic may be called so, or a column has the name
   *     of one of those that are added
   */
  public TableDescriptor table(TableDescriptor table, String name, long queueBytes) {
    String topic = prefix + name;
    if (!TOPIC.matcher(topic).matches()) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: its topic would be '%s', and a topic has 1 to 249 letters, digits, dots, _ and -: set 'table-name'"
              .formatted(table.name(), topic));
    }
    Schema.Builder schema = Schema.builder();
    for (Schema.Field field : ORIGIN.fields()) {
      if (table.schema().indexOf(field.name()) >= 0) {
        throw new ConnectorException(
            ConnectorException.Kind.USER,
            "table %s: column `%s` has the name of one that is added to each row: give it another"
                .formatted(table.name(), field.name()));
      }
      schema.add(field.name(), field.type());
    }
    schema.addAll(table.schema());
    Map<String, String> options = new HashMap<>();
    properties.forEach((key, value) -> options.put("properties." + key, value));
    options.put("topic", topic);
    options.put("sink.delivery-guarantee", "exactly-once");
    options.put("sink.queue-bytes", queueBytes + " b");
    if (table.primaryKey().isEmpty()) {
      options.put("format", "json");
      options.put("sink.partitioner", "fixed");
    } else {
      options.put("key.format", "json");
      options.put("value.format", "json");
    }
    return new TableDescriptor(
        table.name(),
        schema.build(),
        Map.of(),
        key(table.primaryKey()),
        List.of(),
        options,
        table.location());
  }

  private static List<Integer> key(List<Integer> columns) {
    if (columns.isEmpty()) {
      return List.of();
    }
    List<Integer> key = new ArrayList<>(List.of(0));
    columns.forEach(column -> key.add(ORIGIN.size() + column));
    return key;
  }

  /** Without the values of the properties: a password is among them. */
  @Override
  public String toString() {
    return "TopicRoute[site=%s, prefix=%s, properties=%s]"
        .formatted(site, prefix, properties.keySet());
  }
}

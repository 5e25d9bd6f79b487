package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Explorer;
import io.sedge.connector.Findings;
import io.sedge.connector.Findings.Content;
import io.sedge.connector.Findings.Found;
import io.sedge.connector.Findings.Unread;
import io.sedge.connector.Options;
import io.sedge.connector.Suggestions;
import io.sedge.connector.TableDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * The topics of a broker, with some of their newest records. It belongs to no group, commits
 * nothing, and makes no topic.
 */
public final class TopicExplorer implements Explorer {
  private static final String SCHEME = "kafka://";

  /** One broker or more, separated by commas. */
  private static final Pattern SERVERS =
      Pattern.compile("[A-Za-z0-9._\\-\\[\\]:]+:\\d{1,5}(,[A-Za-z0-9._\\-\\[\\]:]+:\\d{1,5})*");

  private static final String CLIENT = "browse";

  /** In a message. */
  private static final int MOST_NAMED = 3;

  @Override
  public List<String> addresses() {
    return List.of("kafka://HOST:9092");
  }

  @Override
  public boolean isFor(String address) {
    return address.startsWith(SCHEME);
  }

  @Override
  public Map<String, String> connection(String address) {
    String servers = address.substring(SCHEME.length());
    if (!SERVERS.matcher(servers).matches()) {
      throw Failures.user(
          "%s is not kafka://HOST:9092, or kafka://HOST:9092,HOST:9092"
              .formatted(address.contains("@") ? SCHEME : address));
    }
    return Map.of(KafkaOptions.SERVERS, servers);
  }

  @Override
  public Findings explore(Search search, ConnectorContext context) {
    TableDescriptor table = search.table();
    Options options = Options.of(table, KafkaOptions.PLAIN);
    ClientProperties client = ClientProperties.of(table, options, context);
    String title = "Kafka at " + client.servers();
    Optional<String> trouble = new BrokerProbe(client).trouble();
    if (trouble.isPresent()) {
      throw new ConnectorException(ConnectorException.Kind.EXTERNAL, title + ": " + trouble.get());
    }
    try (Admin admin = admin(client)) {
      return look(search, context, title, client, admin);
    } catch (KafkaException e) {
      Throwable cause = Failures.cause(e);
      throw Failures.external(title + ": " + explain(cause, client), cause);
    }
  }

  /** One of some servers may talk without TLS, so that there is no trouble, and another with it. */
  private static Admin admin(ClientProperties client) {
    new BrokerProbe(client).refuseTls();
    return new Clients(client).admin(CLIENT);
  }

  private static String explain(Throwable cause, ClientProperties client) {
    return cause instanceof TimeoutException && client.protocol().equals("SSL")
        ? Failures.explain(cause)
            + "; if the brokers ask for a login too, 'properties.security.protocol' is 'SASL_SSL'"
        : Failures.explain(cause);
  }

  private static Findings look(
      Search search, ConnectorContext context, String title, ClientProperties client, Admin admin) {
    TreeSet<String> names = new TreeSet<>();
    search.name().ifPresentOrElse(names::add, () -> names.addAll(topics(admin)));
    List<String> some = names.stream().limit(Findings.MOST).toList();
    Map<String, TopicShape> shapes = shapes(admin, title, some);
    if (search.name().isPresent() && shapes.isEmpty()) {
      throw unknown(admin, title, search.name().get());
    }
    Map<String, RetainedOffsets> retained = RetainedOffsets.of(admin, shapes);
    List<Found> found = new ArrayList<>();
    long end = context.nanoTime() + search.atMost().toNanos();
    try (TopicSamples samples = new TopicSamples(new Clients(client).consumer(CLIENT), context)) {
      int looked = 0;
      for (Map.Entry<String, TopicShape> topic : shapes.entrySet()) {
        RetainedOffsets its = Objects.requireNonNull(retained.get(topic.getKey()));
        Optional<String> nothing = its.nothing();
        boolean looks = nothing.isEmpty() && looked < search.most() && context.nanoTime() < end;
        looked += looks ? 1 : 0;
        Content content =
            looks ? content(samples, topic.getKey(), its, end) : new Unread(nothing.orElse(""));
        found.add(
            new Found(
                topic.getKey(),
                List.of(String.valueOf(topic.getValue().partitions()), its.records()),
                Map.of(KafkaOptions.TOPIC, topic.getKey(), KafkaOptions.STARTUP, "earliest-offset"),
                content));
      }
    }
    return new Findings(
        title, List.of("topic", "partitions", "records"), found, names.size() - some.size());
  }

  /** Without those that are Kafka's own. */
  private static Collection<String> topics(Admin admin) {
    return TopicShape.await(admin.listTopics().names());
  }

  private static Map<String, TopicShape> shapes(Admin admin, String title, List<String> names) {
    try {
      return TopicShape.look(admin, names);
    } catch (TopicAuthorizationException e) {
      throw Failures.external(
          "%s: this user may not see the topic %s: it needs the right DESCRIBE, and READ to read it"
              .formatted(
                  title, String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())))),
          e);
    }
  }

  private static ConnectorException unknown(Admin admin, String title, String name) {
    Collection<String> all = topics(admin);
    Optional<String> near = Suggestions.closest(name, all);
    String rest =
        near.map("; did you mean %s?"::formatted)
            .orElseGet(() -> all.isEmpty() ? "; this user sees no topic at all" : "");
    return Failures.external(
        "%s: there is no topic %s%s".formatted(title, name, rest),
        new KafkaException("no such topic"));
  }

  /** What one user may not read is said, and the other topics are looked at. */
  private static Content content(
      TopicSamples samples, String topic, RetainedOffsets its, long end) {
    try {
      return samples.of(its, end);
    } catch (TopicAuthorizationException e) {
      return new Unread("this user may not read it: it needs the right READ");
    } catch (KafkaException e) {
      Throwable cause = Failures.cause(e);
      if (Failures.isLasting(cause)) {
        throw e;
      }
      return new Unread("%s cannot be read: %s".formatted(topic, Failures.explain(cause)));
    }
  }
}

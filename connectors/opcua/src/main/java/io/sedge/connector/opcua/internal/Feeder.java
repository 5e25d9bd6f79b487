package io.sedge.connector.opcua.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Reports;
import io.sedge.connector.Tenfold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.structured.MonitoredItemCreateResult;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a table's nodes subscribed, in a thread of its own, and puts their values into an inbox.
 *
 * <p>States: connecting; subscribing; watching. Whatever fails leads back to connecting, after a
 * pause. The subscription goes over to the new connection if the server agrees. If it does not, a
 * new one is made; what was missed is read from the history of the nodes that have one, and said of
 * the others.
 */
final class Feeder implements Subscription.Receiver, AutoCloseable {
  /** Nodes that a server does not know are asked for again after so long. */
  private static final long AGAIN_NANOS = 60_000_000_000L;

  /** So many nodes are named in one report. */
  private static final int NAMED = 5;

  private final String table;
  private final ReadSettings settings;
  private final Inbox inbox;
  private final ConnectorContext context;
  private final Reports reports;
  private final Greeting greeting;
  private final ReaderPosition resumed;
  private final Thread thread;
  private final List<Inbox.Change> message = new ArrayList<>();
  private final Tenfold overflows = new Tenfold();
  private final Tenfold bad = new Tenfold();

  private volatile List<Variable> variables = List.of();

  /** From when on values were missed that are not yet read or said. */
  private volatile long gapMicros;

  private volatile @Nullable Throwable failure;
  private volatile boolean closed;

  // What follows belongs to the feeder's thread.
  private @Nullable Subscription subscription;
  private long lastMicros;
  private List<String> namespaces = List.of();
  private boolean saidTooShort;
  private boolean wasConnected;
  private boolean isLost;
  private int failures;
  private long triedNanos;

  /**
   * @param resumed where reading goes on
   */
  Feeder(
      String table,
      ReadSettings settings,
      Inbox inbox,
      ConnectorContext context,
      Reports reports,
      ReaderPosition resumed) {
    this.table = table;
    this.settings = settings;
    this.inbox = inbox;
    this.context = context;
    this.reports = reports;
    this.greeting = new Greeting(settings.link(), context, reports);
    this.resumed = resumed;
    this.lastMicros = resumed.micros();
    this.gapMicros = resumed.missedFrom();
    // A job that has run before waits for what was there; a new one is told what is wrong.
    this.wasConnected = resumed.micros() != Variable.NEVER;
    this.thread = Thread.ofPlatform().name("sedge-opcua-" + table).daemon().start(this::run);
  }

  /** What has gone wrong for good; null as a rule. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** The nodes that were found, in a list that is made anew when they are looked for again. */
  List<Variable> variables() {
    return variables;
  }

  /**
   * From when on values were missed that are not yet read or said; {@link Variable#NEVER}: none.
   */
  long gapMicros() {
    return gapMicros;
  }

  /** The boundary of the thread: whatever nobody has foreseen ends the job. */
  private void run() {
    try {
      while (!closed) {
        attempt();
      }
    } catch (InterruptedException e) {
      // It was closed.
    } catch (Throwable e) {
      failure = e;
      context.wakeUp();
    }
  }

  private void attempt() throws InterruptedException {
    Link link = null;
    try {
      link = Link.open(table, settings.link(), greeting);
      ServerLimits limits = ServerLimits.of(link);
      if (!transfer(link)) {
        subscribe(link, limits);
      }
      wasConnected = true;
      watch(link, limits);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      Failures.checkForeseen(e);
      lost(e);
    } finally {
      if (link != null) {
        if (subscription == null || closed) {
          link.close();
        } else {
          link.abandon();
        }
      }
    }
    if (!closed) {
      Thread.sleep(settings.link().pauses().delay(++failures));
    }
  }

  /** Takes what the server sends, also over a connection that was lost and is there again. */
  private void watch(Link link, ServerLimits limits) throws Exception {
    Subscription watched = Objects.requireNonNull(subscription);
    while (!closed) {
      try {
        watched.next(this, settings.link().requestTimeout());
        failures = 0;
        regained();
        tryAgain(limits);
      } catch (InterruptedException | Subscription.EndedException e) {
        throw e;
      } catch (Exception e) {
        Failures.checkForeseen(e);
        lost(e);
        if (!Failures.isConnectionLost(e) || !link.regain(Duration.ofMillis(Link.SESSION_MS))) {
          throw e;
        }
        watched.resume(this);
        regained();
      }
    }
  }

  /** All that was missed has come, or is said. */
  private void regained() {
    wasConnected = true;
    gapMicros = Variable.NEVER;
    if (lastMicros != Variable.NEVER) {
      lastMicros = reports.nowMicros();
    }
    if (isLost) {
      reports.warn("%s gives values again".formatted(settings.link().url()));
      isLost = false;
    }
  }

  private void lost(Exception e) {
    message.clear();
    if (gapMicros == Variable.NEVER) {
      gapMicros = lastMicros;
    }
    if (e instanceof Subscription.EndedException) {
      subscription = null;
    }
    String why = Failures.text(e, settings.link().login());
    boolean isFirst = !wasConnected && Failures.root(e) instanceof ConnectorRefusal;
    if (isFirst || Failures.isLogin(e)) {
      throw new ConnectorException(
          ConnectorException.Kind.EXTERNAL,
          "table %s: %s: %s".formatted(table, settings.link().url(), why),
          e);
    }
    if (!isLost) {
      isLost = true;
      reports.warn(
          "%s gives nothing%s: %s; it is tried again"
              .formatted(
                  settings.link().url(),
                  lastMicros == Variable.NEVER ? "" : " since " + Reports.time(lastMicros),
                  why));
    }
  }

  /** Takes the subscription over to a new connection. */
  private boolean transfer(Link link) throws InterruptedException {
    Subscription kept = subscription;
    if (kept == null) {
      return false;
    }
    try {
      if (kept.transferTo(link, this)) {
        return true;
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      // A server that cannot transfer may say so in any way.
      message.clear();
    }
    subscription = null;
    return false;
  }

  /** Tells that the numbers of namespaces in node ids mean others than before. */
  private void checkNamespaces(Link link) {
    List<String> now = List.of(link.client().getNamespaceTable().toArray());
    if (!namespaces.isEmpty() && !namespaces.equals(now)) {
      reports.warn(
          "the server's namespaces were %s and are %s; write nsu=… in 'nodes' instead of ns=…"
              .formatted(String.join(", ", namespaces), String.join(", ", now)));
    }
    namespaces = now;
  }

  private void subscribe(Link link, ServerLimits limits) throws Exception {
    checkNamespaces(link);
    NodeFinder finder = new NodeFinder(link, limits);
    List<Variable> found =
        settings.keep(
            finder.find(
                settings.patterns(), settings.root(), settings.maxNodes(), settings.names()));
    if (found.isEmpty()) {
      throw new ConnectorRefusal(
          "no node of the server fits 'nodes' = '%s'%s"
              .formatted(
                  settings.patterns().stream()
                      .map(NodePattern::text)
                      .collect(Collectors.joining(";")),
                  settings.patterns().stream().allMatch(NodePattern::isExact)
                      ? ""
                      : " below 'browse.root' = '%s'".formatted(settings.root())));
    }
    if (!finder.skipped().isEmpty()) {
      reports.warn(
          "the server does not say what is below %s; nodes may be missing"
              .formatted(listed(finder.skipped())));
    }
    History history = new History(link, limits, finder);
    if (settings.monitoring().history()) {
      history.mark(found);
    }
    variables = known(found);
    Subscription made = Subscription.create(link, settings.monitoring());
    monitor(made, all(found.size()), limits);
    fillGap(history, made);
    subscription = made;
  }

  /** The nodes as they were found before, where they were; what is known of them stays known. */
  private List<Variable> known(List<Variable> found) {
    Map<String, Variable> before =
        variables.stream().collect(Collectors.toMap(Variable::key, variable -> variable));
    List<Variable> known = new ArrayList<>(found.size());
    for (Variable variable : found) {
      Variable same = before.getOrDefault(variable.key(), variable);
      same.moveTo(variable.nodeId());
      same.hasHistory = variable.hasHistory;
      if (before.isEmpty()) {
        same.received =
            resumed
                .sources()
                .getOrDefault(same.hash(), same.hasHistory ? resumed.others() : Variable.NEVER);
        same.polled = same.received;
      }
      same.subscribed();
      known.add(same);
    }
    return List.copyOf(known);
  }

  private static List<Integer> all(int count) {
    List<Integer> handles = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      handles.add(i);
    }
    return handles;
  }

  private void monitor(Subscription made, List<Integer> handles, ServerLimits limits)
      throws Exception {
    triedNanos = System.nanoTime();
    List<MonitoredItemCreateResult> results =
        made.monitor(variables, handles, settings.monitoring(), limits);
    Map<String, List<String>> refused = new TreeMap<>();
    List<String> tooShort = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      Variable variable = variables.get(handles.get(i));
      StatusCode status = results.get(i).getStatusCode();
      boolean isBad = status.isBad();
      if (isBad && !variable.isGone) {
        refused.computeIfAbsent(Failures.name(status), key -> new ArrayList<>()).add(variable.id());
      } else if (!isBad && variable.isGone) {
        reports.warn("%s is there again".formatted(variable));
      }
      if (!isBad && made.isTooShort(results.get(i))) {
        tooShort.add(variable.id());
      }
      variable.isMonitored = !isBad;
      variable.isGone = isBad;
    }
    if (!tooShort.isEmpty() && !saidTooShort) {
      saidTooShort = true;
      reports.warn(
          ("the server gives %s a queue that is full before it is sent: values may be lost, and are"
                  + " said then; lower 'publishing-interval', or raise 'sampling-interval'")
              .formatted(listed(tooShort)));
    }
    refused.forEach(
        (status, nodes) ->
            reports.warn(
                "%s is not watched: %s%s; it is tried again each minute"
                    .formatted(listed(nodes), status, remedy(status))));
  }

  private static String remedy(String status) {
    return switch (status) {
      case "BadNodeIdUnknown", "BadNodeIdInvalid" ->
          ": the server has no such node, look at 'nodes'";
      case "BadAttributeIdInvalid" -> ": the node is no variable";
      case "BadNotReadable", "BadUserAccessDenied" -> ": the user may not read it";
      case "BadFilterNotAllowed", "BadMonitoredItemFilterUnsupported" ->
          ": the node takes no deadband, leave out 'deadband.…'";
      case "BadTooManyMonitoredItems" -> ": the server watches no more nodes";
      default -> "";
    };
  }

  static String listed(List<String> items) {
    String named = items.stream().limit(NAMED).collect(Collectors.joining(", "));
    return items.size() <= NAMED ? named : "%s and %d more".formatted(named, items.size() - NAMED);
  }

  private void tryAgain(ServerLimits limits) throws Exception {
    if (System.nanoTime() - triedNanos < AGAIN_NANOS || subscription == null) {
      return;
    }
    triedNanos = System.nanoTime();
    List<Integer> missing = new ArrayList<>();
    for (int i = 0; i < variables.size(); i++) {
      if (!variables.get(i).isMonitored) {
        missing.add(i);
      }
    }
    if (!missing.isEmpty()) {
      monitor(subscription, missing, limits);
    }
  }

  /** Reads what was missed since the last values, or says that it is missing. */
  private void fillGap(History history, Subscription made) throws Exception {
    long from = gapMicros;
    if (from == Variable.NEVER) {
      return;
    }
    DateTime to = history.now();
    List<String> without = new ArrayList<>();
    List<String> ahead = new ArrayList<>();
    List<Variable> readable = new ArrayList<>();
    for (Variable variable : variables) {
      if (!variable.hasHistory || variable.received == Variable.NEVER) {
        without.add(variable.id());
      } else if (variable.received > to.utcTime()) {
        ahead.add(variable.id());
      } else {
        readable.add(variable);
      }
    }
    long[] filled = {0};
    history.read(
        readable,
        to,
        new History.Receiver() {
          @Override
          public void values(Variable variable, List<DataValue> values) {
            filled[0] += values.size();
            values.forEach(value -> deliver(variable, value));
          }

          @Override
          public void refused(Variable variable, StatusCode status) {
            without.add("%s (%s)".formatted(variable.id(), Failures.name(status)));
          }

          @Override
          public void pageEnds() throws InterruptedException {
            List<Variable> given = message.stream().map(Inbox.Change::variable).toList();
            messageEnds();
            given.forEach(variable -> variable.filledTo = variable.received);
            made.hold(settings.link().requestTimeout());
          }
        });
    String now = Reports.time(reports.nowMicros());
    if (!ahead.isEmpty()) {
      reports.warn(
          ("the last values of %s have times after the server's clock: one of the clocks was set"
               + " back, or that of the source is ahead; what was missed of them from %s to %s is"
               + " not read from its history")
              .formatted(listed(ahead), Reports.time(from), now));
    }
    if (filled[0] > 0 || without.size() + ahead.size() < variables.size()) {
      reports.inform(
          "from %s to %s values were missed; %d were read from the server's history"
              .formatted(Reports.time(from), now, filled[0]));
    }
    if (!without.isEmpty()) {
      reports.warn(
          "from %s to %s nothing was read of %s, and the server keeps no past of it"
              .formatted(Reports.time(from), now, listed(without)));
    }
    gapMicros = Variable.NEVER;
  }

  @Override
  public void changed(int handle, DataValue value) {
    if (handle < 0 || handle >= variables.size()) {
      return;
    }
    Variable variable = variables.get(handle);
    if (!variable.isRepeated(value.sourceTime())) {
      deliver(variable, value);
    }
  }

  private void deliver(Variable variable, DataValue value) {
    long now = reports.nowMicros();
    if (value.statusCode().isOverflowSet() && overflows.add(1)) {
      reports.warn(
          "the server's queue of %s was full, and values were lost before %s; %d times so far."
                  .formatted(variable, Reports.time(now), overflows.count())
              + " Raise 'queue-size', or lower 'publishing-interval'");
    }
    if (value.statusCode().isBad() && bad.add(1)) {
      reports.warn(
          "%s has a bad status, %s; %d values so far"
              .formatted(variable, Failures.name(value.statusCode()), bad.count()));
    }
    message.add(new Inbox.Change(variable, value, now));
  }

  @Override
  public void missed(long messages) {
    reports.warn(
        "%d messages before %s were lost, and the server has them no longer"
            .formatted(messages, Reports.time(reports.nowMicros())));
  }

  @Override
  public void messageEnds() throws InterruptedException {
    inbox.put(message);
    for (Inbox.Change change : message) {
      DateTime source = change.value().sourceTime();
      if (source != null) {
        change.variable().received = source.utcTime();
      }
      lastMicros = change.micros();
    }
    message.clear();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      var _ = thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

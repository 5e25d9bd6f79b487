package io.sedge.site.internal.membership;

import io.sedge.identity.Addresses;
import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.Enrolment;
import io.sedge.identity.EnrolmentClient;
import io.sedge.identity.LogQuery;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.site.api.DeviceLogs;
import io.sedge.site.api.LeftOutPage;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.ModelDrift;
import io.sedge.site.api.SiteDrifts;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLeftOut;
import io.sedge.site.internal.device.DeviceLog;
import io.sedge.task.FailureCode;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;

/**
 * What the devices of a site have said and left out, and bundles of them: this one knows its own,
 * and asks the others, for all but bundles at the same time. Any thread.
 *
 * <p>Bounds: {@link #MAX_AT_ONCE} devices are asked at once, each is waited for no longer than
 * {@link #PATIENCE}, and all answers together have {@link #MAX_CHARACTERS}, so that they fit into
 * one answer to a command, however many devices there are.
 */
final class SiteReports {
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** A page of the latest lines is larger. */
  private static final Duration LATEST_PATIENCE = Duration.ofSeconds(8);

  /** A device gathers for 20 s at most what is in a bundle, and a slow link takes as long again. */
  private static final Duration BUNDLE_PATIENCE = Duration.ofSeconds(80);

  static final int MAX_AT_ONCE = 64;
  static final int MAX_CHARACTERS = 2 << 20;

  /** Of another device's answer, which a slow link is to bring in time. */
  static final int OTHERS_CHARACTERS = 32 << 10;

  private final LedgerMembership membership;
  private final DeviceIdentity identity;
  private final DeviceLog log;
  private final Enrolment.Bundles bundles;
  private final Predicate<Device> isUp;

  /**
   * @param log of this device
   * @param bundles of this device
   */
  SiteReports(
      LedgerMembership membership,
      DeviceIdentity identity,
      DeviceLog log,
      Enrolment.Bundles bundles,
      Predicate<Device> isUp) {
    this.membership = membership;
    this.identity = identity;
    this.log = log;
    this.bundles = bundles;
    this.isUp = isUp;
  }

  /** See {@link io.sedge.site.api.SiteControl#siteLogs}. */
  List<DeviceLogs> logs(String job, Set<String> names, Map<String, String> marks)
      throws SiteException {
    return logs(
        names,
        (device, characters) ->
            new LogQuery(
                job,
                marks.getOrDefault(device, ""),
                device.equals(identity.name())
                    ? characters
                    : Math.min(characters, OTHERS_CHARACTERS)),
        PATIENCE);
  }

  /**
   * The latest that devices have said, a page of each.
   *
   * @param job see {@link io.sedge.site.api.SiteControl#logs}
   * @param names whose; empty for all
   */
  List<DeviceLogs> latest(String job, Set<String> names) throws SiteException {
    return logs(names, (_, characters) -> new LogQuery(job, "", characters, true), LATEST_PATIENCE);
  }

  private interface Query {
    LogQuery of(String device, int characters);
  }

  private List<DeviceLogs> logs(Set<String> names, Query query, Duration patience)
      throws SiteException {
    String self = identity.name();
    List<Device> others = others();
    NavigableMap<String, Callable<DeviceLogs>> questions = new TreeMap<>();
    int characters = MAX_CHARACTERS / (others.size() + 1);
    for (Device device : others) {
      LogQuery asked = query.of(device.name(), characters);
      questions.put(device.name(), () -> read(device, asked, patience));
    }
    // Also where its copy of the ledger does not know it yet, as while there is no majority.
    questions.put(self, () -> own(query.of(self, characters)));
    if (!names.isEmpty() && Collections.disjoint(names, questions.keySet())) {
      throw unknown(String.join(", ", names), questions.keySet());
    }
    questions.keySet().removeIf(name -> !names.isEmpty() && !names.contains(name));
    return answers(questions.values());
  }

  /** See {@link io.sedge.site.api.SiteControl#leftOut}. */
  SiteLeftOut leftOut(String job) throws SiteException {
    List<Callable<Counted>> questions = new ArrayList<>();
    questions.add(() -> new Counted(identity.name(), log.leftOut(job), ""));
    for (Device device : others()) {
      questions.add(() -> counted(device, job));
    }
    SortedMap<String, LeftOutPage> heard = new TreeMap<>();
    Map<String, String> missing = new TreeMap<>();
    for (Counted answer : answers(questions)) {
      if (answer.failure().isEmpty()) {
        heard.put(answer.device(), answer.page());
      } else {
        missing.put(answer.device(), answer.failure());
      }
    }
    return SiteLeftOut.of(heard, missing);
  }

  /** What a device has left out; if it cannot be asked, why. */
  private record Counted(String device, LeftOutPage page, String failure) {}

  private Counted counted(Device device, String job) {
    return asked(
        device,
        PATIENCE,
        address ->
            new Counted(
                device.name(), EnrolmentClient.leftOut(address, identity, job, PATIENCE), ""),
        failure -> new Counted(device.name(), LeftOutPage.NOTHING, failure));
  }

  /**
   * See {@link io.sedge.site.api.SiteControl#drifts}. Of windows that two devices have ended, the
   * later one counts; but one of a device that has none of the job's tasks any more only where the
   * others know of none, as after a move until the next window ends.
   *
   * @param holders the devices that have the job's tasks
   */
  SiteDrifts drifts(String job, Set<String> holders) throws SiteException {
    List<Callable<Told>> questions = new ArrayList<>();
    questions.add(() -> new Told(identity.name(), log.drifts(job), ""));
    for (Device device : others()) {
      questions.add(() -> told(device, job));
    }
    List<Told> answers = answers(questions);
    SortedMap<String, String> silent = new TreeMap<>();
    answers.stream()
        .filter(told -> !told.failure().isEmpty())
        .forEach(told -> silent.put(told.device(), told.failure()));
    Map<List<String>, ModelDrift> latest =
        latest(answers.stream().filter(told -> holders.contains(told.device())));
    latest(answers.stream().filter(told -> !holders.contains(told.device())))
        .forEach(latest::putIfAbsent);
    return new SiteDrifts(List.copyOf(latest.values()), silent);
  }

  /** What a device has told; if it cannot be asked, why. */
  private record Told(String device, List<ModelDrift> drifts, String failure) {}

  private Told told(Device device, String job) {
    return asked(
        device,
        PATIENCE,
        address ->
            new Told(device.name(), EnrolmentClient.drifts(address, identity, job, PATIENCE), ""),
        failure -> new Told(device.name(), List.of(), failure));
  }

  /** By model and feature. */
  private static Map<List<String>, ModelDrift> latest(Stream<Told> answers) {
    Map<List<String>, ModelDrift> latest = new LinkedHashMap<>();
    answers
        .flatMap(told -> told.drifts().stream())
        .forEach(
            drift ->
                latest.merge(
                    List.of(drift.model(), drift.feature()),
                    drift,
                    (one, other) -> one.untilMillis() < other.untilMillis() ? other : one));
    return latest;
  }

  /** Of all devices at the same time. */
  private static <T> List<T> answers(Collection<Callable<T>> questions) throws SiteException {
    try (ExecutorService asking =
        Executors.newFixedThreadPool(
            MAX_AT_ONCE, Thread.ofVirtual().name("sedge-reports-", 0).factory())) {
      List<T> answers = new ArrayList<>();
      for (Future<T> answer : asking.invokeAll(questions)) {
        answers.add(answer.get());
      }
      return answers;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SiteException(FailureCode.NOT_NOW, "the device was stopped meanwhile", e);
    } catch (ExecutionException e) {
      throw new SiteException(FailureCode.INTERNAL_ERROR, "asking the devices: " + e.getCause(), e);
    }
  }

  /**
   * A bundle of a device.
   *
   * @return a zip file
   * @throws SiteException UNKNOWN_NAME; CONNECTION_FAILED if the device cannot be asked; NOT_NOW
   *     while it makes another one
   */
  byte[] bundle(String name) throws SiteException {
    if (name.equals(identity.name())) {
      return bundles.make();
    }
    List<Device> others = others();
    Device device =
        others.stream()
            .filter(other -> other.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    unknown(
                        name,
                        Stream.concat(others.stream().map(Device::name), Stream.of(identity.name()))
                            .sorted()
                            .toList()));
    try {
      String address = Addresses.enrolment(device.address());
      try {
        return EnrolmentClient.bundle(address, identity, BUNDLE_PATIENCE);
      } catch (SiteException e) {
        throw new SiteException(
            e.code(),
            "device %s cannot be asked: %s"
                .formatted(name, reason(device, address, e, BUNDLE_PATIENCE)),
            e);
      }
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.CONNECTION_FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  private static SiteException unknown(String name, Collection<String> known) {
    return new SiteException(
        FailureCode.UNKNOWN_NAME,
        "there is no device called %s; there are: %s".formatted(name, String.join(", ", known)));
  }

  private List<Device> others() {
    return membership.devices().stream()
        .filter(device -> device.state() != DeviceState.EXPELLED)
        .filter(device -> !device.name().equals(identity.name()))
        .toList();
  }

  private DeviceLogs own(LogQuery query) {
    return new DeviceLogs(identity.name(), log.page(query), "");
  }

  private DeviceLogs read(Device device, LogQuery query, Duration patience) {
    return asked(
        device,
        patience,
        address -> {
          LogPage page = EnrolmentClient.log(address, identity, query, patience);
          return query.latest() && page.more()
              ? unread(
                  device,
                  query,
                  "its version of Sedge is older, and gives its oldest lines first: upgrade it")
              : new DeviceLogs(device.name(), page, "");
        },
        failure -> unread(device, query, failure));
  }

  private static DeviceLogs unread(Device device, LogQuery query, String failure) {
    return new DeviceLogs(device.name(), new LogPage(List.of(), query.mark(), false), failure);
  }

  /** A question to a device at its address. */
  @FunctionalInterface
  private interface Question<T> {
    T at(String address) throws SiteException;
  }

  /**
   * Asks a device.
   *
   * @param patience that the question has
   * @param unasked what there is instead of an answer, from why it cannot be asked
   */
  private <T> T asked(
      Device device, Duration patience, Question<T> question, Function<String, T> unasked) {
    try {
      String address = Addresses.enrolment(device.address());
      try {
        return question.at(address);
      } catch (SiteException e) {
        return unasked.apply(reason(device, address, e, patience));
      }
    } catch (IllegalArgumentException e) {
      return unasked.apply(String.valueOf(e.getMessage()));
    }
  }

  private String reason(Device device, String address, SiteException e, Duration patience) {
    Throwable cause = e.getCause();
    if (cause instanceof ConnectException) {
      return isUp.test(device)
          ? "it is up, but does not listen at %s: its version of Sedge is older and tells nobody of itself, or another program has that port"
              .formatted(address)
          : "it is not running, as far as this device knows, and nobody listens at " + address;
    }
    if (cause instanceof SSLHandshakeException && cause.getCause() instanceof IOException) {
      return "it ended the connection at once: it is busy, or has refused this address for a"
          + " moment";
    }
    if (cause instanceof EOFException) {
      return "it ended the connection without an answer: its version of Sedge is older, and does"
          + " not know what it was asked";
    }
    if (cause instanceof TimeoutException) {
      return "it has not answered at %s within %d s".formatted(address, patience.toSeconds());
    }
    return String.valueOf(e.getMessage());
  }
}

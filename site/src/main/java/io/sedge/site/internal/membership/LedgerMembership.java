package io.sedge.site.internal.membership;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Format;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.Member;
import io.sedge.site.api.BuildVersion;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.device.Leadership;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Devices as they are in the ledger, with labels of Sedge's own for keys and addresses. */
public final class LedgerMembership implements Leadership {
  /** The fingerprint of a device's key. */
  static final String KEY = DeviceOptions.RESERVED_LABELS + "key";

  /** The version of Sedge that it runs. */
  private static final String VERSION = DeviceOptions.RESERVED_LABELS + "version";

  /** Where a device that has the authority is asked. */
  static final String ENROLMENT = DeviceOptions.RESERVED_LABELS + "enrolment";

  /** Where the authority waits for a device, at another one's enrolment. */
  private static final String OFFER = DeviceOptions.RESERVED_LABELS + "offer";

  static final Duration PATIENCE = Duration.ofSeconds(10);
  static final Duration ADMIT_PATIENCE = Duration.ofSeconds(30);

  private final LedgerMember member;
  private final String self;

  /**
   * @param self the name of this device
   */
  public LedgerMembership(LedgerMember member, String self) {
    this.member = member;
    this.self = self;
  }

  @Override
  public boolean isLeader() {
    return member.isLeader();
  }

  @Override
  public void handOver() {
    member.handOver();
  }

  @Override
  public boolean hasLed(Device device) {
    return member.hasLed(device.address());
  }

  @Override
  public boolean answers(Device device) {
    return member.answers(device.address());
  }

  /**
   * Whether a device may not come in: by name, or by the key that an expelled or a removed one had.
   */
  public boolean isShutOut(String name, String key) {
    return member.read(state -> state.isRemovedKey(key)) || isExpelled(name, key);
  }

  boolean isExpelled(String name, String key) {
    return devices().stream()
        .filter(device -> device.state() == DeviceState.EXPELLED)
        .anyMatch(device -> device.name().equals(name) || isOf(device, key));
  }

  /** Whether a device has a key. */
  static boolean isOf(Device device, String key) {
    return key.equals(device.labels().get(KEY));
  }

  /**
   * Waits until this member knows all that the site knew when this was called. One that has just
   * been started, or was cut off, knows less: that a device is not there says nothing until then.
   */
  void awaitPresent(String doing) throws SiteException {
    Optional<Device> known = device(self);
    long reported = known.map(Device::heardAtMillis).orElse(0L);
    boolean stopped = known.map(Device::stopped).orElse(false); // It may be about to end.
    submit(new Command.ReportDevice(self, reported, stopped), doing);
  }

  boolean isKnown(String name, String key) {
    return device(name)
        .filter(device -> device.state() != DeviceState.EXPELLED)
        .filter(device -> isOf(device, key))
        .isPresent();
  }

  Optional<Device> device(String name) {
    return member.read(state -> state.device(name));
  }

  List<Device> devices() {
    return member.read(state -> state.devices());
  }

  boolean hasTasks(String name) {
    return member.read(
        state -> state.tasks().stream().anyMatch(task -> task.device().equals(name)));
  }

  /** Devices that have the authority. */
  List<Device> authorities() {
    return devices().stream().filter(LedgerMembership::hasAuthority).toList();
  }

  /** Whether a device has the authority, and is not shut out. */
  static boolean hasAuthority(Device device) {
    return device.state() != DeviceState.EXPELLED && device.labels().containsKey(ENROLMENT);
  }

  /** Tells a device where it may fetch the authority; it forgets that when it has tried. */
  void offer(Device device, String address) throws SiteException {
    Map<String, String> labels = new HashMap<>(device.labels());
    labels.put(OFFER, address);
    submit(
        new Command.RegisterDevice(device.name(), device.address(), labels),
        "offering the certificate authority to device " + device.name());
  }

  /** Takes an offer back that the device has not answered. */
  void withdraw(String name) throws SiteException {
    Optional<Device> device = device(name).filter(known -> offer(known).isPresent());
    if (device.isPresent()) {
      Map<String, String> labels = new HashMap<>(device.get().labels());
      labels.remove(OFFER);
      submit(
          new Command.RegisterDevice(name, device.get().address(), labels),
          "taking back the offer to device " + name);
    }
  }

  /** The version of Sedge that a device runs; empty for one that does not tell. */
  static String version(Device device) {
    return device.labels().getOrDefault(VERSION, "");
  }

  /** Where a device may fetch the authority. */
  static Optional<String> offer(Device device) {
    return Optional.ofNullable(device.labels().get(OFFER));
  }

  /** Whether the ledger knows a device as a command would tell it. */
  boolean isDone(Command.RegisterDevice registration) {
    return device(registration.device())
        .filter(device -> device.address().equals(registration.address()))
        .filter(device -> device.labels().equals(registration.labels()))
        .isPresent();
  }

  /**
   * What the ledger is to know of a device that another one lets in. It is taken to run this
   * version: one that does not tells so itself, and one that does has nothing to tell.
   *
   * @param format the latest format that it reads, as it says
   */
  static Command.RegisterDevice registration(
      String name, String address, Map<String, String> given, String key, int format) {
    Map<String, String> labels = new HashMap<>(given);
    labels.put(KEY, key);
    labels.put(VERSION, BuildVersion.ofThis());
    labels.put(Format.LABEL, Integer.toString(format));
    return new Command.RegisterDevice(name, address, labels);
  }

  /** What the ledger is to know of a device. */
  static Command.RegisterDevice registration(DeviceOptions options, String key, boolean authority) {
    Map<String, String> labels = new HashMap<>(options.labels());
    if (authority) {
      labels.put(ENROLMENT, options.enrolmentAddress());
    }
    return registration(options.name(), options.address(), labels, key, Format.NEWEST);
  }

  /** The copy of the ledger that a device has, by the name that its id begins with. */
  List<Member> membersOf(String name) {
    String id = Pattern.quote(name.replaceAll("[^A-Za-z0-9_]", "_")) + "-[0-9a-f]{8}";
    return member.members().stream().filter(present -> present.id().matches(id)).toList();
  }

  /** Takes a device's copy of the ledger out of the members, if it has one. */
  void removeMember(String name) throws SiteException {
    for (Member present : membersOf(name)) {
      try {
        member.remove(present.id(), ADMIT_PATIENCE);
      } catch (LedgerException e) {
        throw new SiteException(
            FailureCode.NO_MAJORITY,
            "device %s is still a member of the ledger (try again): %s"
                .formatted(name, e.getMessage()),
            e);
      }
    }
  }

  /** Waits until a command was carried out; not refused. */
  void submit(Command command, String doing) throws SiteException {
    if (answer(command, doing) instanceof Answer.Refused refused) {
      throw failure(refused, doing);
    }
  }

  /** The same for a command that is done with a value. */
  long submitForValue(Command command, String doing) throws SiteException {
    return switch (answer(command, doing)) {
      case Answer.Done(long _, long value) -> value;
      case Answer.Refused refused -> throw failure(refused, doing);
      case Answer.Repeated _ ->
          throw new SiteException(FailureCode.NO_MAJORITY, doing + ": it may have happened");
    };
  }

  /** Waits until a command was carried out, so that who asks this device next sees it. */
  Answer answer(Command command, String doing) throws SiteException {
    Answer answer = await(member.submit(command), doing);
    if (answer instanceof Answer.Done(long index, long _)) {
      var _ = await(member.readAt(index, SiteState::appliedIndex), doing);
    }
    return answer;
  }

  private static <T> T await(CompletableFuture<T> future, String doing) throws SiteException {
    try {
      return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new SiteException(
          FailureCode.NO_MAJORITY,
          "%s: too few devices of the site answer; it may happen when they do".formatted(doing),
          e);
    } catch (ExecutionException e) {
      throw new SiteException(FailureCode.INTERNAL_ERROR, doing + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SiteException(FailureCode.NOT_NOW, doing + ": interrupted", e);
    }
  }

  static SiteException failure(Answer.Refused refused, String doing) {
    Refusal reason = refused.reason();
    FailureCode code =
        switch (reason) {
          case UNKNOWN_DEVICE, UNKNOWN_JOB, UNKNOWN_TASK -> FailureCode.UNKNOWN_NAME;
          case TOO_LARGE, TOO_OFTEN, OUTBOX_FULL, STATE_FULL, EXCHANGE_FULL, BUSY ->
              FailureCode.LIMIT_REACHED;
          case EXPELLED -> FailureCode.SHUT_OUT;
          case CLOSED -> FailureCode.NO_MAJORITY;
          case NOT_NOW, OLD_EPOCH, WRONG_SEQUENCE, OTHER_DEVICE -> FailureCode.NOT_NOW;
          case OLD_FORMAT -> FailureCode.JOIN_REFUSED;
          case MALFORMED -> FailureCode.INTERNAL_ERROR;
        };
    String what = "%s: the ledger refuses it: %s (%d)".formatted(doing, reason, refused.value());
    return new SiteException(
        code,
        switch (reason) {
          case OLD_FORMAT ->
              "%s: its version of Sedge does not read format %d, which the site's ledger has: install the version that the other devices have"
                  .formatted(doing, refused.value());
          case TOO_LARGE, TOO_OFTEN, OUTBOX_FULL, STATE_FULL, EXCHANGE_FULL ->
              what + "; `sedge site limits` shows what the site allows, and changes it";
          default -> what;
        });
  }
}

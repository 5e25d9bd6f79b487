package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.Sealing;
import io.sedge.identity.SealingKey;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Job;
import io.sedge.ledger.Secret;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.SecretStatus;
import io.sedge.site.api.SiteException;
import io.sedge.sql.SecretReferences;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.JobListener;
import io.sedge.task.Printable;
import io.sedge.task.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * The site's secrets, as this device has them. They are in the ledger, sealed for each device that
 * may read them. A device tells the ledger its key once there is a secret; then one that can read
 * it shares it. Any thread, but for {@link #look}, which one thread calls now and then.
 */
public final class SecretStore implements Secrets {
  /** Shares that are sent at a look. */
  private static final int MAX_AT_ONCE = 64;

  private static final long SHARING_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LOOK_MILLIS = 20;

  private final String self;
  private final LedgerMember member;
  private final LedgerMembership membership;
  private final SealingKey key;
  private final InstantSource clock;
  private final JobListener listener;
  private @Nullable CompletableFuture<Answer> announcing;
  private List<CompletableFuture<Answer>> sharing = List.of();

  /** For how many looks some device has lacked something. */
  private int lacking;

  private boolean saidUnreadable;

  /**
   * @param key of this device
   */
  public SecretStore(
      LedgerMember member,
      LedgerMembership membership,
      String self,
      SealingKey key,
      InstantSource clock,
      JobListener listener) {
    this.self = self;
    this.member = member;
    this.membership = membership;
    this.key = key;
    this.clock = clock;
    this.listener = listener;
  }

  @Override
  public String value(String name) throws JobException {
    Secret secret =
        find(name)
            .orElseThrow(
                () ->
                    new JobException(
                        FailureCode.SECRET_MISSING,
                        "the secret %s is not set: type `sedge secret set %s`"
                            .formatted(name, name)));
    try {
      Optional<SecretKey> own = own(secret);
      if (own.isEmpty()) {
        throw new JobException(
            FailureCode.SECRET_MISSING,
            "device %s has not been given the secret %s yet: a device that has it and is up gives it; if there is none, type `sedge secret set %s`"
                .formatted(self, name, name));
      }
      return Sealing.unseal(own.get(), name, secret.sealed());
    } catch (GeneralSecurityException e) {
      throw new JobException(FailureCode.SECRET_MISSING, unreadable(name, e), e);
    }
  }

  private String unreadable(String name, GeneralSecurityException e) {
    return "device %s cannot open the secret %s (%s): type `sedge secret set %s`"
        .formatted(self, name, e.getMessage(), name);
  }

  private Optional<Secret> find(String name) {
    return member.read(
        state -> state.secrets().stream().filter(known -> known.name().equals(name)).findFirst());
  }

  /** What decrypts a secret, if this device has a share of it. */
  private Optional<SecretKey> own(Secret secret) throws GeneralSecurityException {
    byte @Nullable [] share = secret.shares().get(self);
    return share == null ? Optional.empty() : Optional.of(key.open(secret.name(), share));
  }

  /**
   * See {@link io.sedge.site.api.SiteControl#setSecret}. Waits some seconds for devices that were
   * not stopped to have it.
   */
  SecretStatus set(String name, String value) throws SiteException {
    check(name, value);
    if (!isAnnounced()) {
      membership.submit(
          new Command.AnnounceKey(self, key.publicKey()), "telling the ledger this device's key");
    }
    Command.SetSecret command;
    try {
      command = sealed(name, value);
    } catch (GeneralSecurityException e) {
      throw new SiteException(FailureCode.INTERNAL_ERROR, "sealing the secret: " + e, e);
    }
    membership.submit(command, "setting secret " + name);
    return awaitShares(name);
  }

  private static void check(String name, String value) throws SiteException {
    if (!SecretReferences.isName(name)) {
      throw new SiteException(
          FailureCode.USAGE,
          "'%s' is no name of a secret: %s".formatted(name, SecretReferences.rule()));
    }
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > Sealing.MAX_VALUE_BYTES) {
      throw new SiteException(
          FailureCode.USAGE,
          "the value of secret %s has %,d bytes; 1 to %,d are allowed"
              .formatted(name, bytes, Sealing.MAX_VALUE_BYTES));
    }
  }

  private Command.SetSecret sealed(String name, String value) throws GeneralSecurityException {
    SecretKey fresh = Sealing.newKey();
    Map<String, Secret.Share> shares = new HashMap<>();
    for (Map.Entry<String, byte[]> device : member.read(SiteState::sealingKeys).entrySet()) {
      shares.put(device.getKey(), share(fresh, name, device.getKey(), device.getValue()));
    }
    return new Command.SetSecret(name, clock.millis(), Sealing.seal(fresh, name, value), shares);
  }

  private static Secret.Share share(SecretKey secret, String name, String device, byte[] recipient)
      throws GeneralSecurityException {
    return new Secret.Share(recipient, Sealing.share(secret, name, device, recipient));
  }

  private SecretStatus awaitShares(String name) throws SiteException {
    long begin = System.nanoTime();
    while (!missing(known(name)).stream().allMatch(this::isStopped)
        && System.nanoTime() - begin <= SHARING_NANOS) {
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return status(known(name), named());
  }

  private Secret known(String name) throws SiteException {
    return find(name)
        .orElseThrow(
            () ->
                new SiteException(
                    FailureCode.NOT_NOW, "secret %s was removed meanwhile".formatted(name)));
  }

  private boolean isStopped(String device) {
    return membership.device(device).map(Device::stopped).orElse(true);
  }

  /** See {@link io.sedge.site.api.SiteControl#secrets}. */
  List<SecretStatus> list() {
    Map<String, Set<String>> named = named();
    return member.read(SiteState::secrets).stream().map(secret -> status(secret, named)).toList();
  }

  private SecretStatus status(Secret secret, Map<String, Set<String>> named) {
    return new SecretStatus(
        secret.name(),
        secret.setAtMillis(),
        named.entrySet().stream()
            .filter(job -> job.getValue().contains(secret.name()))
            .map(Map.Entry::getKey)
            .toList(),
        missing(secret));
  }

  /**
   * The secrets that jobs name which need them still, by job. Scripts may be long, so they are not
   * looked through while the ledger waits.
   */
  private Map<String, Set<String>> named() {
    Map<String, Set<String>> named = new LinkedHashMap<>();
    for (Job job : member.read(SiteState::jobs)) {
      if (!job.state().hasEnded() || job.waitingRows() > 0) {
        Set<String> secrets = new TreeSet<>(SecretReferences.in(job.script()));
        // The script before still delivers.
        job.earlier().ifPresent(before -> secrets.addAll(SecretReferences.in(before.script())));
        named.put(job.name(), secrets);
      }
    }
    return named;
  }

  /** The devices of the site that have no share of a secret. */
  private List<String> missing(Secret secret) {
    return member.read(SiteState::devices).stream()
        .filter(device -> device.state() != DeviceState.EXPELLED)
        .map(Device::name)
        .filter(name -> !secret.shares().containsKey(name))
        .toList();
  }

  /** See {@link io.sedge.site.api.SiteControl#removeSecret}. */
  void remove(String name) throws SiteException {
    List<SecretStatus> known = list();
    SecretStatus secret =
        known.stream()
            .filter(status -> status.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new SiteException(
                        FailureCode.UNKNOWN_NAME,
                        "there is no secret called %s; there are: %s"
                            .formatted(
                                name,
                                Printable.list(known.stream().map(SecretStatus::name).toList()))));
    if (!secret.jobs().isEmpty()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "secret %s is named by jobs that have not ended (%s): stop them first, or give it another value with `sedge secret set %s`"
              .formatted(name, String.join(", ", secret.jobs()), name));
    }
    membership.submit(new Command.RemoveSecret(name), "removing secret " + name);
  }

  /**
   * Refuses a script that names secrets which are not set.
   *
   * @throws SiteException UNKNOWN_NAME
   */
  void checkSet(String job, String script) throws SiteException {
    Set<String> missing = new TreeSet<>(SecretReferences.in(script));
    member.read(SiteState::secrets).forEach(secret -> missing.remove(secret.name()));
    if (!missing.isEmpty()) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "the script of job %s names %s, which the site does not have: type %s first"
              .formatted(
                  job,
                  missing.size() == 1
                      ? "the secret " + missing.iterator().next()
                      : "the secrets " + String.join(", ", missing),
                  String.join(
                      ", ", missing.stream().map("`sedge secret set %s`"::formatted).toList())));
    }
  }

  private boolean isAnnounced() {
    byte @Nullable [] known = member.read(SiteState::sealingKeys).get(self);
    return known != null && java.util.Arrays.equals(known, key.publicKey());
  }

  /**
   * Sees to it that each device of the site gets what it lacks. A site without secrets hears
   * nothing of this, so that devices of versions before have nothing to stumble over.
   */
  void look() {
    List<Secret> secrets = member.read(SiteState::secrets);
    if (secrets.isEmpty()) {
      return;
    }
    if (!isAnnounced()) {
      if (membership.device(self).isPresent() && (announcing == null || announcing.isDone())) {
        announcing = member.submit(new Command.AnnounceKey(self, key.publicKey()));
      }
      return;
    }
    if (sharing.stream().allMatch(CompletableFuture::isDone)) {
      sharing = share(secrets);
    }
  }

  /** Whether the next look has nothing to do unless the ledger goes on. */
  boolean isSettled() {
    boolean announced = member.read(state -> state.secrets().isEmpty()) || isAnnounced();
    return announced && lacking == 0 && sharing.stream().allMatch(CompletableFuture::isDone);
  }

  /** Those that can do it wait for each other in the order of their names: one is enough. */
  private List<CompletableFuture<Answer>> share(List<Secret> secrets) {
    Map<String, byte[]> keys = member.read(SiteState::sealingKeys);
    List<CompletableFuture<Answer>> sent = new ArrayList<>();
    boolean lacks = false;
    for (Secret secret : secrets) {
      List<String> missing =
          keys.keySet().stream().filter(name -> !secret.shares().containsKey(name)).toList();
      long before =
          secret.shares().keySet().stream().filter(name -> name.compareTo(self) < 0).count();
      lacks |= !missing.isEmpty();
      if (!missing.isEmpty() && secret.shares().containsKey(self) && lacking >= before) {
        share(secret, missing, keys, sent);
      }
    }
    lacking = lacks ? lacking + 1 : 0;
    return sent;
  }

  private void share(
      Secret secret,
      List<String> devices,
      Map<String, byte[]> keys,
      List<CompletableFuture<Answer>> sent) {
    try {
      SecretKey own = own(secret).orElseThrow();
      for (String device : devices) {
        byte @Nullable [] recipient = keys.get(device);
        if (recipient != null && sent.size() < MAX_AT_ONCE) {
          sent.add(
              member.submit(
                  new Command.ShareSecret(
                      secret.name(),
                      secret.version(),
                      device,
                      share(own, secret.name(), device, recipient))));
        }
      }
    } catch (GeneralSecurityException e) {
      if (!saidUnreadable) {
        saidUnreadable = true;
        listener.report(Severity.ERROR, unreadable(secret.name(), e));
      }
    }
  }
}

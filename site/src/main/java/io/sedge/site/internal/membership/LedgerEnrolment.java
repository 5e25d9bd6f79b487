package io.sedge.site.internal.membership;

import io.sedge.identity.Addresses;
import io.sedge.identity.Membership;
import io.sedge.identity.Newcomer;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Token;
import io.sedge.replication.Invitation;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.Member;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Who may come into a site, by its ledger. A newcomer is checked against the state of one version
 * of the membership, and enrolled only if that is still the version: else two that are let in at
 * once, perhaps by two devices, could get one address.
 */
public final class LedgerEnrolment implements Membership {
  /** For a token that another device made to come to this one. */
  private static final Duration TOKEN_PATIENCE = Duration.ofSeconds(1);

  private static final long LOOK_MILLIS = 20;

  /** Each other newcomer that comes between costs one. */
  private static final int ATTEMPTS = 20;

  private final LedgerMember member;
  private final LedgerMembership membership;

  public LedgerEnrolment(LedgerMember member, LedgerMembership membership) {
    this.member = member;
    this.membership = membership;
  }

  @Override
  public void addToken(String hash, Instant end, Instant now) throws SiteException {
    String doing = "making a token";
    Answer answer =
        membership.answer(
            new Command.AddToken(hash, end.toEpochMilli(), now.toEpochMilli()), doing);
    if (answer instanceof Answer.Refused refused) {
      throw refused.reason() == Refusal.TOO_LARGE
          ? new SiteException(
              FailureCode.LIMIT_REACHED,
              "there are %d tokens, as many as there may be; wait until some have ended for a day"
                  .formatted(refused.value()))
          : LedgerMembership.failure(refused, doing);
    }
  }

  @Override
  public void checkToken(String hash, String key, Instant now) throws SiteException {
    Optional<Token> token = awaitToken(hash);
    String why;
    if (token.isEmpty()) {
      why = "the token is not one of this site's";
    } else if (token.get().endMillis() <= now.toEpochMilli()) {
      why = "the token has ended";
    } else if (!token.get().usedBy().isEmpty() && !token.get().usedBy().equals(key)) {
      why = "the token has been used by another device";
    } else {
      return;
    }
    throw new SiteException(
        FailureCode.JOIN_REFUSED, why + "; `sedge device token` makes a new one");
  }

  private Optional<Token> awaitToken(String hash) throws SiteException {
    long begin = System.nanoTime();
    Optional<Token> token = member.read(state -> state.token(hash));
    while (token.isEmpty() && System.nanoTime() - begin < TOKEN_PATIENCE.toNanos()) {
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SiteException(FailureCode.NOT_NOW, "the device was stopped meanwhile", e);
      }
      token = member.read(state -> state.token(hash));
    }
    return token;
  }

  @Override
  public Invitation enrol(String token, Newcomer newcomer, Instant now) throws SiteException {
    String name = newcomer.name();
    String key = newcomer.key();
    // One that is known may be the one without which there is no majority.
    if (!membership.isKnown(name, key) && !membership.isShutOut(name, key)) {
      membership.awaitPresent("asking whether %s may join".formatted(name));
    }
    Command.RegisterDevice registration =
        LedgerMembership.registration(
            name, newcomer.address(), newcomer.labels(), key, newcomer.format());
    String doing = "registering device " + name;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long version = member.read(SiteState::membershipVersion);
      checkToken(token, key, now);
      checkMayCome(newcomer);
      if (membership.isDone(registration)) {
        return member.invite();
      }
      Answer answer =
          membership.answer(new Command.EnrolDevice(version, token, key, registration), doing);
      if (!(answer instanceof Answer.Refused refused)) {
        return member.invite();
      }
      if (refused.reason() != Refusal.WRONG_SEQUENCE) {
        throw LedgerMembership.failure(refused, doing);
      }
    }
    throw new SiteException(
        FailureCode.NOT_NOW, doing + ": too many devices join or change at once; try again");
  }

  private void checkMayCome(Newcomer newcomer) throws SiteException {
    String name = newcomer.name();
    String key = newcomer.key();
    if (membership.isExpelled(name, key)) {
      throw new SiteException(
          FailureCode.SHUT_OUT,
          "%s was expelled from this site and cannot join it again".formatted(name));
    }
    if (membership.isShutOut(name, key)) {
      throw new SiteException(
          FailureCode.SHUT_OUT,
          "the device with this key was removed from the site; join with an empty data directory");
    }
    for (Device device : membership.devices()) {
      boolean sameName = device.name().equals(name);
      if (sameName && !LedgerMembership.isOf(device, key)) {
        throw new SiteException(
            FailureCode.NAME_TAKEN,
            "a device called %s is in the site already (%s): choose another --name, or remove that one first (`sedge device remove %s`)"
                .formatted(name, device.address(), name));
      }
      if (!sameName && LedgerMembership.isOf(device, key)) {
        forgetUnfinished(device);
      } else if (!sameName && overlap(device.address(), newcomer.address())) {
        throw new SiteException(
            FailureCode.ADDRESS_IN_USE,
            "device %s has the address %s and the port after it, which %s would have too: choose another one (--listen), or remove that device first"
                .formatted(device.name(), device.address(), newcomer.address()));
      }
    }
  }

  /** A place that was kept for the same newcomer under another name, which it never took. */
  private void forgetUnfinished(Device device) throws SiteException {
    if (device.heard() > 0 || !membership.membersOf(device.name()).isEmpty()) {
      throw new SiteException(
          FailureCode.NAME_TAKEN,
          "device %s has the same key: a data directory is of one device, and must not be copied"
              .formatted(device.name()));
    }
    membership.submit(
        new Command.RemoveDevice(device.name(), ""), "forgetting device " + device.name());
  }

  /** Each device has a port for the ledger and the next one. */
  private static boolean overlap(String ledger, String other) {
    return ledger.equals(other)
        || Addresses.enrolment(ledger).equals(other)
        || Addresses.enrolment(other).equals(ledger);
  }

  @Override
  public void admit(String name, Member newcomer) throws SiteException {
    Device device =
        membership
            .device(name)
            .orElseThrow(
                () ->
                    new SiteException(
                        FailureCode.SHUT_OUT, "device %s was removed".formatted(name)));
    if (!device.address().equals(newcomer.address())) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED,
          "device %s is registered at %s, and asks for %s"
              .formatted(name, device.address(), newcomer.address()));
    }
    if (member.members().stream().anyMatch(present -> present.id().equals(newcomer.id()))) {
      return;
    }
    try {
      removeOthersAt(newcomer);
      member.add(newcomer, LedgerMembership.ADMIT_PATIENCE);
    } catch (LedgerException e) {
      throw new SiteException(
          FailureCode.NO_MAJORITY,
          "device %s is not a member of the ledger yet: %s".formatted(name, e.getMessage()),
          e);
    }
  }

  /** A device that lost its directory comes back as another member, at its old address. */
  private void removeOthersAt(Member newcomer) throws LedgerException {
    for (Member present : member.members()) {
      if (present.address().equals(newcomer.address())) {
        member.remove(present.id(), LedgerMembership.ADMIT_PATIENCE);
      }
    }
  }

  @Override
  public Optional<String> ledgerAt(String address) {
    return membership.devices().stream()
        .filter(device -> device.address().equals(address))
        .map(Device::name)
        .findFirst();
  }

  @Override
  public boolean isRegistered(String name, String key) throws SiteException {
    if (membership.isShutOut(name, key)) {
      return false; // For ever, so there is nothing to ask the others.
    }
    if (!membership.isKnown(name, key)) {
      membership.awaitPresent("asking whether %s is a device of this site".formatted(name));
    }
    return membership.isKnown(name, key);
  }
}

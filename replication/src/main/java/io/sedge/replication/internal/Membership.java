package io.sedge.replication.internal;

import io.sedge.replication.Invitation;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerListener.Severity;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.Member;
import io.sedge.replication.MemberOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;

/** Who belongs to the site's ledger, as one member knows it and has it changed. Any thread. */
public final class Membership {
  private final Identity identity;
  private final MemberOptions options;
  private final Present member;
  private final LeaderClient leader;
  private final Reports reports;

  Membership(
      Identity identity,
      MemberOptions options,
      Present member,
      LeaderClient leader,
      Reports reports) {
    this.identity = identity;
    this.options = options;
    this.member = member;
    this.leader = leader;
    this.reports = reports;
  }

  public Member self() {
    return members().stream()
        .filter(one -> one.id().equals(identity.id()))
        .findFirst()
        .orElse(new Member(identity.id(), options.address(), identity.voter()));
  }

  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    LocalServer server = member.server();
    server
        .peers(RaftPeerRole.FOLLOWER)
        .forEach(peer -> members.add(new Member(peer.getId().toString(), peer.getAddress(), true)));
    server
        .peers(RaftPeerRole.LISTENER)
        .forEach(
            peer -> members.add(new Member(peer.getId().toString(), peer.getAddress(), false)));
    return members;
  }

  public Invitation invite() {
    long voters = members().stream().filter(Member::voter).count();
    return new Invitation(identity.site(), voters < LedgerMember.MAX_VOTERS);
  }

  public void add(Member newcomer, Duration timeout) throws LedgerException {
    String id = newcomer.id();
    RaftPeer peer = LocalServer.peer(id, newcomer.address());
    changeAndFill(
        "adding member %s at %s".formatted(id, newcomer.address()),
        now -> {
          Optional<RaftPeer> present = now.peer(id);
          if (present.isEmpty()) {
            return now.with(peer, newcomer.voter());
          }
          String address = present.get().getAddress();
          if (!address.equals(peer.getAddress())) {
            throw new LedgerException("member %s belongs already, at %s".formatted(id, address));
          }
          return now;
        },
        timeout);
  }

  public void readdress() throws LedgerException {
    String what = "changing the address of member " + identity.id();
    if (members().size() != 1) {
      throw new LedgerException("%s: there are others, %s".formatted(what, members()));
    }
    // Ratis (3.3.0) takes a configuration with the same ids and priorities for the same one.
    for (int priority : new int[] {1, 0}) {
      RaftPeer moved =
          RaftPeer.newBuilder()
              .setId(identity.id())
              .setAddress(options.address())
              .setPriority(priority)
              .build();
      try {
        member
            .server()
            .setConfiguration(
                SetConfigurationRequest.Arguments.newBuilder()
                    .setServersInNewConf(List.of(moved))
                    .build());
      } catch (IOException e) {
        throw new LedgerException("%s: %s".formatted(what, e), e);
      }
    }
  }

  public void remove(String id, Duration timeout) throws LedgerException {
    if (members().stream().noneMatch(one -> one.id().equals(id))) {
      throw new LedgerException("there is no member %s; %s".formatted(id, members()));
    }
    changeAndFill(
        "removing member " + id,
        now -> {
          if (now.without(id).voters().isEmpty()) {
            throw new LedgerException(
                "member %s is the last one that votes; add another one before".formatted(id));
          }
          return now.without(id);
        },
        timeout);
  }

  /**
   * Changes who belongs, and has followers vote where there is room for their votes: of a voter
   * that was removed, also if who comes in its place was invited to follow while it was there. That
   * they do not is no failure of the change.
   */
  private void changeAndFill(String what, Reconfiguration.Change change, Duration timeout)
      throws LedgerException {
    if (member.server().peers(RaftPeerRole.FOLLOWER).isEmpty()) {
      throw new LedgerException(what + ": this member has not been added to a site yet");
    }
    Reconfiguration reconfiguration =
        new Reconfiguration(new Belonging(), timeout, System::nanoTime);
    Roles reached = reconfiguration.carryOut(what, change);
    try {
      Roles before;
      do {
        before = reached;
        reached =
            reconfiguration.carryOut(
                "making a follower a voter",
                Optional.of(before),
                now -> change.of(now).filled(LedgerMember.MAX_VOTERS));
      } while (!reached.equals(before));
    } catch (LedgerException e) {
      reports.always(
          Severity.WARNING,
          "fewer members vote than could, after %s: %s".formatted(what, e.getMessage()));
    }
  }

  /** Who belongs, to those who change it. */
  private final class Belonging implements Reconfiguration.Group {
    @Override
    public Optional<Roles> roles() {
      return member.server().roles();
    }

    @Override
    public void set(Roles from, Roles to, String what, Duration timeout) throws LedgerException {
      SetConfigurationRequest.Arguments arguments =
          SetConfigurationRequest.Arguments.newBuilder()
              .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
              .setServersInCurrentConf(List.copyOf(from.voters()))
              .setListenersInCurrentConf(List.copyOf(from.followers()))
              .setServersInNewConf(List.copyOf(to.voters()))
              .setListenersInNewConf(List.copyOf(to.followers()))
              .build();
      leader.ask(client -> client.admin().setConfiguration(arguments), what, timeout);
    }

    @Override
    public boolean pause(Duration time) {
      try {
        return member.pause(time);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}

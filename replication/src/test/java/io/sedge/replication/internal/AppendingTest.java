package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.replication.MemberOptions;
import io.sedge.replication.testkit.Await;
import io.sedge.replication.testkit.Members;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionProperties;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.Timestamp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a leader sends to a member, and when: of a member that the test plays. */
final class AppendingTest {
  /** So long that no test takes it. */
  private static final int ELECTION_TIMEOUT_MILLIS =
      Math.toIntExact(Duration.ofHours(2).toMillis());

  private static final Timestamp LONG_AGO =
      Timestamp.currentTime().addTimeMs(-2L * ELECTION_TIMEOUT_MILLIS);

  @TempDir private Path directory;
  private RaftServer server;
  private LogAppender appender;
  private long next;
  private Timestamp answered = LONG_AGO;
  private Timestamp sent = LONG_AGO;

  @BeforeEach
  void start() throws Exception {
    RatisGuards.tame();
    MemberOptions options =
        MemberOptions.of(directory, "a", Members.HOST, Members.freePort(), (_, _) -> {});
    RaftPeer self = LocalServer.peer("a", options.address());
    RaftGroup group = RaftGroup.valueOf(RaftGroupId.valueOf(new UUID(1, 2)), self);
    server =
        RaftServer.newBuilder()
            .setServerId(self.getId())
            .setGroup(group)
            .setProperties(Settings.server(options, directory))
            .setParameters(new Parameters())
            .setStateMachineRegistry(_ -> new BaseStateMachine())
            .build();
    server.start();
    RaftServer.Division division = server.getDivision(group.getGroupId());
    Await.until("it leads itself", () -> division.getInfo().isLeaderReady());
    appender =
        new Appending()
            .newFactory(new Parameters())
            .newLogAppender(
                Played.of(
                    RaftServer.Division.class,
                    (method, arguments) ->
                        method.getName().equals("properties")
                            ? properties()
                            : method.invoke(division, arguments)),
                leader(),
                follower());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static DivisionProperties properties() {
    return Played.of(
        DivisionProperties.class,
        (method, _) -> method.getName().equals("minRpcTimeoutMs") ? ELECTION_TIMEOUT_MILLIS : null);
  }

  /** The leader, that only puts into requests what is to be in them. */
  private LeaderState leader() {
    return Played.of(
        LeaderState.class,
        (method, arguments) -> {
          assertThat(method.getName()).isEqualTo("newAppendEntriesRequestProto");
          AppendEntriesRequestProto.Builder request = AppendEntriesRequestProto.newBuilder();
          ((List<?>) arguments[1]).forEach(entry -> request.addEntries((LogEntryProto) entry));
          TermIndex previous = (TermIndex) arguments[2];
          if (previous != null) {
            request.setPreviousLog(previous.toProto());
          }
          return request.setLeaderCommit(appender.getRaftLog().getLastCommittedIndex()).build();
        });
  }

  private FollowerInfo follower() {
    return Played.of(
        FollowerInfo.class,
        (method, _) ->
            switch (method.getName()) {
              case "getId" -> RaftPeerId.valueOf("b");
              case "getName" -> "a->b";
              case "getNextIndex" -> next;
              case "getSnapshotIndex" -> 0L;
              case "getLastRpcResponseTime" -> answered;
              case "getLastRpcSendTime" -> sent;
              case "getLastHeartbeatSendTime" -> LONG_AGO;
              default -> throw new AssertionError(method);
            });
  }

  /** How far the log is. */
  private long end() {
    return appender.getRaftLog().getNextIndex();
  }

  /** Else members hear of a new leader only after a TLS handshake. */
  @Test
  void theFirstMessageIsTheEntryThatBeginsTheTerm() throws IOException {
    next = end() - 1;
    assertThat(appender.shouldSendAppendEntries()).isTrue();
    assertThat(appender.newAppendEntriesRequest(1, false).getEntriesList())
        .as("not a heartbeat")
        .hasSize(1);
  }

  @Test
  void whoHasAllAndHasNotAnsweredIsSentAHeartbeat() throws IOException {
    next = end();
    assertThat(appender.shouldSendAppendEntries()).isTrue();
    assertThat(appender.newAppendEntriesRequest(1, false).getEntriesList()).isEmpty();
  }

  /** Else it waits for the heartbeats' own connection all the same. */
  @Test
  void whoWasSentTheEntryIsNotSentAHeartbeatAtOnce() {
    next = end();
    sent = Timestamp.currentTime();
    assertThat(appender.shouldSendAppendEntries()).isFalse();
  }

  /** Else the leader does nothing but look whether there is something. */
  @Test
  void whoHasAllAndHasAnsweredIsNotSentAnything() {
    next = end();
    answered = Timestamp.currentTime();
    assertThat(appender.shouldSendAppendEntries()).as("though there is no stream yet").isFalse();
    next = end() - 1;
    assertThat(appender.shouldSendAppendEntries()).isTrue();
  }

  /** Else it is told with the next entry or heartbeat, and cannot do before what it was given. */
  @Test
  void whoHasAllIsToldSoonAndOnceThatItIsCommitted() throws Exception {
    beat();
    assertThat(commit().isSuccess()).isTrue();
    next = end();
    answered = Timestamp.currentTime();
    sent = ago(ELECTION_TIMEOUT_MILLIS / 20);
    assertThat(appender.shouldSendAppendEntries()).as("an entry may tell it as well").isFalse();
    sent = ago(ELECTION_TIMEOUT_MILLIS / 7);
    assertThat(appender.shouldSendAppendEntries()).isTrue();
    assertThat(appender.newAppendEntriesRequest(2, false).getEntriesList()).isEmpty();
    assertThat(appender.shouldSendAppendEntries()).as("told already").isFalse();
  }

  /** Else it waits for the heartbeats' own connection, and what is committed next behind it. */
  @Test
  void whoWasSentNoHeartbeatYetIsNotToldByItself() throws Exception {
    assertThat(commit().isSuccess()).isTrue();
    next = end();
    answered = Timestamp.currentTime();
    sent = ago(ELECTION_TIMEOUT_MILLIS / 7);
    assertThat(appender.shouldSendAppendEntries()).isFalse();
  }

  private void beat() throws IOException {
    next = end();
    assertThat(appender.newAppendEntriesRequest(1, false).getEntriesList()).isEmpty();
  }

  private static Timestamp ago(long millis) {
    return Timestamp.currentTime().addTimeMs(-millis);
  }

  private RaftClientReply commit() throws IOException {
    return server.submitClientRequest(
        RaftClientRequest.newBuilder()
            .setClientId(ClientId.randomId())
            .setServerId(server.getId())
            .setGroupId(server.getGroupIds().iterator().next())
            .setCallId(1)
            .setMessage(Message.valueOf("commit"))
            .setType(RaftClientRequest.writeRequestType())
            .build());
  }
}

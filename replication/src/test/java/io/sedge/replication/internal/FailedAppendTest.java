package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.replication.MemberOptions;
import io.sedge.replication.testkit.Await;
import io.sedge.replication.testkit.Members;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member whose leader the test plays. Entries that cannot be appended come where a process stood
 * still for minutes: what was sent to it before it was sent a snapshot is read after that.
 */
final class FailedAppendTest {
  /** Above those of elections that the member holds by itself. */
  private static final long TERM = 1_000;

  @TempDir private Path directory;
  private RaftServer server;
  private RaftGroupId group;
  private long calls;

  @BeforeEach
  void start() throws Exception {
    RatisGuards.tame();
    MemberOptions options =
        MemberOptions.of(directory, "a", Members.HOST, Members.freePort(), (_, _) -> {});
    RaftPeer self = LocalServer.peer("a", options.address());
    RaftPeer leader = LocalServer.peer("b", Members.HOST + ":" + Members.freePort());
    group = RaftGroupId.valueOf(new UUID(1, 2));
    server =
        RaftServer.newBuilder()
            .setServerId(self.getId())
            .setGroup(RaftGroup.valueOf(group, self, leader))
            .setProperties(Settings.server(options, directory))
            .setParameters(new Parameters())
            .setStateMachineRegistry(_ -> new BaseStateMachine())
            .build();
    server.start();
    RaftServer.Division division = server.getDivision(group);
    Await.until("it runs", () -> division.getInfo().getLifeCycleState().isRunning());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private CompletableFuture<AppendEntriesReplyProto> append(long index, long term)
      throws Exception {
    AppendEntriesRequestProto.Builder request =
        AppendEntriesRequestProto.newBuilder()
            .setServerRequest(
                RaftRpcRequestProto.newBuilder()
                    .setRequestorId(LocalServer.peer("b", "b:1").getId().toByteString())
                    .setReplyId(server.getId().toByteString())
                    .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group.toByteString()))
                    .setCallId(calls++))
            .setLeaderTerm(TERM)
            .setLeaderCommit(0)
            .addEntries(
                LogEntryProto.newBuilder()
                    .setTerm(term)
                    .setIndex(index)
                    .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder()
                            .setClientId(ClientId.randomId().toByteString())));
    if (index > 0) {
      request.setPreviousLog(TermIndexProto.newBuilder().setTerm(TERM).setIndex(index - 1));
    }
    return server.appendEntriesAsync(request.build());
  }

  @Test
  void whatCannotBeAppendedDoesNotKeepOutWhatFollows() throws Exception {
    assertThat(append(0, TERM).get(30, TimeUnit.SECONDS).getResult())
        .isEqualTo(AppendResult.SUCCESS);
    assertThatThrownBy(() -> append(1, TERM - 1).get(30, TimeUnit.SECONDS))
        .hasStackTraceContaining("Entry term less than RaftLog's last term");
    assertThat(append(1, TERM).get(30, TimeUnit.SECONDS).getResult())
        .isEqualTo(AppendResult.SUCCESS);
  }
}

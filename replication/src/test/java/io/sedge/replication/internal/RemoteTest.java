package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.replication.MemberOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RemoteTest {
  @TempDir private Path directory;

  private Remote remote() {
    RatisGuards.tame();
    return new Remote(
        RaftGroupId.valueOf(new UUID(1, 2)),
        MemberOptions.of(directory, "a", "127.0.0.1", 1, (_, _) -> {}));
  }

  /** A machine that has lost its power does not say that it leads no more. */
  @Test
  void aLeaderThatSaysNothingIsGivenUpWhenAnotherOneLeads() throws IOException {
    AtomicInteger looks = new AtomicInteger();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Remote remote = remote()) {
      RaftPeer leader = LocalServer.peer("b", "127.0.0.1:" + silent.getLocalPort());

      assertThatThrownBy(
              () ->
                  remote.send(
                      Message.valueOf("commit"),
                      RaftClientRequest.writeRequestType(),
                      List.of(leader),
                      leader.getId(),
                      () -> looks.incrementAndGet() < 3))
          .isInstanceOf(IOException.class)
          .hasMessage("member b does not lead any more");
    }
    assertThat(looks).as("times that it was looked who leads").hasValue(3);
  }
}

package io.sedge.replication.testkit;

import io.sedge.replication.LedgerMember;
import io.sedge.replication.Tls;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Somebody who speaks the members' protocol, and sends what he likes. */
public final class Stranger {
  private final UUID site;
  private final RaftPeer peer;

  public Stranger(LedgerMember member, String host, int port) {
    site = member.invite().site();
    peer = RaftPeer.newBuilder().setId(member.self().id()).setAddress(host + ":" + port).build();
  }

  /** Whether it was taken. */
  public boolean send(byte[] bytes, Optional<Tls> certificate) {
    RaftProperties properties = new RaftProperties();
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(64 << 20));
    RaftClientConfigKeys.Rpc.setRequestTimeout(
        properties, TimeDuration.valueOf(2, java.util.concurrent.TimeUnit.SECONDS));
    Parameters parameters = new Parameters();
    certificate.ifPresent(
        tls ->
            GrpcConfigKeys.TLS.setConf(
                parameters,
                GrpcTlsConfig.newBuilder()
                    .setMutualTls(true)
                    .setKeyManager(tls.keys())
                    .setTrustManager(tls.trust())
                    .setSslProvider(SslProvider.JDK)
                    .build()));
    try (RaftClient client =
        RaftClient.newBuilder()
            .setProperties(properties)
            .setParameters(parameters)
            .setRaftGroup(RaftGroup.valueOf(RaftGroupId.valueOf(site), peer))
            .setRetryPolicy(RetryPolicies.noRetry())
            .build()) {
      return client.io().send(Message.valueOf(ByteString.copyFrom(bytes))).isSuccess();
    } catch (IOException e) {
      return false;
    }
  }
}

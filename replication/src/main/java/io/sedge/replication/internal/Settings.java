package io.sedge.replication.internal;

import io.sedge.replication.MemberOptions;
import io.sedge.replication.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis's settings: small buffers, so that a member does with 64 MB of heap. */
final class Settings {
  /** Of one log entry of ours, at most. */
  static final int ENTRY_BYTES = 1 << 20;

  /** Of one log entry with what Ratis adds. */
  static final int RAW_ENTRY_BYTES = ENTRY_BYTES + (64 << 10);

  private static final SizeInBytes APPENDER_BUFFER = SizeInBytes.valueOf(RAW_ENTRY_BYTES);

  /** Must be more than the appender's buffer and 8 bytes. */
  private static final SizeInBytes WRITE_BUFFER = SizeInBytes.valueOf(RAW_ENTRY_BYTES + 4_096);

  /** Must be more than the appender's buffer and 1 MB. */
  private static final SizeInBytes MESSAGE = SizeInBytes.valueOf(4 << 20);

  /** The open one and one more are kept in memory, for members that are a little behind. */
  private static final SizeInBytes SEGMENT = SizeInBytes.valueOf(1 << 20);

  private static final SizeInBytes PREALLOCATED = SizeInBytes.valueOf(1 << 20);
  private static final SizeInBytes QUEUE = SizeInBytes.valueOf(8 << 20);
  private static final SizeInBytes CHUNK = SizeInBytes.valueOf(1 << 20);

  /** Of a member that has just begun and hears of no leader; one that others hear it leaves. */
  private static final Duration FIRST_ELECTION = Duration.ofMillis(100);

  private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(1_500);
  private static final Duration NO_LEADER = Duration.ofSeconds(10);
  private static final Duration SLOW = Duration.ofSeconds(10);

  /** A member that was suspended goes on when it wakes up, however long that was. */
  private static final Duration CLOSE_THRESHOLD = Duration.ofDays(10_000);

  private Settings() {}

  static TimeDuration time(Duration duration) {
    return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
  }

  static RaftProperties server(MemberOptions options, Path storage) {
    RaftProperties p = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(p, List.of(storage.toFile()));
    RaftConfigKeys.Rpc.setType(p, new Appending());
    GrpcConfigKeys.Server.setHost(p, options.host());
    GrpcConfigKeys.Server.setPort(p, options.port());
    GrpcConfigKeys.Admin.setHost(p, options.host());
    GrpcConfigKeys.Admin.setPort(p, options.port());
    GrpcConfigKeys.Client.setHost(p, options.host());
    GrpcConfigKeys.Client.setPort(p, options.port());
    GrpcConfigKeys.setMessageSizeMax(p, MESSAGE);
    setTimes(p, options);
    setLog(p);
    RaftServerConfigKeys.Write.setByteLimit(p, QUEUE);
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(p, 200_000);
    RaftServerConfigKeys.Snapshot.setCreationGap(p, 1);
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(p, 1);
    return p;
  }

  private static void setTimes(RaftProperties p, MemberOptions options) {
    Duration election = options.electionTimeout();
    RaftServerConfigKeys.Rpc.setTimeoutMin(p, time(election));
    RaftServerConfigKeys.Rpc.setTimeoutMax(p, time(election.multipliedBy(3).dividedBy(2)));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, time(FIRST_ELECTION));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, time(FIRST_ELECTION.multipliedBy(2)));
    RaftServerConfigKeys.Rpc.setRequestTimeout(p, time(REQUEST_TIMEOUT));
    RaftServerConfigKeys.Rpc.setSlownessTimeout(p, time(SLOW));
    RaftServerConfigKeys.Notification.setNoLeaderTimeout(p, time(NO_LEADER));
    RaftServerConfigKeys.setCloseThreshold(p, time(CLOSE_THRESHOLD));
  }

  private static void setLog(RaftProperties p) {
    RaftServerConfigKeys.Log.setSegmentSizeMax(p, SEGMENT);
    RaftServerConfigKeys.Log.setPreallocatedSize(p, PREALLOCATED);
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(p, 1);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(p, QUEUE);
    RaftServerConfigKeys.Log.setWriteBufferSize(p, WRITE_BUFFER);
    RaftServerConfigKeys.Log.setQueueByteLimit(p, QUEUE);
    RaftServerConfigKeys.Log.setPurgeGap(p, 1);
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, true);
    RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
    setAppends(p);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, APPENDER_BUFFER);
    RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(p, CHUNK);
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(p, "10ms,20, 100ms,100, 500ms,1000");
  }

  /**
   * Each append is by itself. Composed (Ratis 3.3.0), each waits for the one before, and once one
   * has failed all that follow fail with it, for as long as the process lives: so did a member that
   * had stood still for minutes, and was sent a snapshot before it had read what came earlier.
   */
  private static void setAppends(RaftProperties p) {
    RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(p, false);
  }

  static RaftProperties client() {
    RaftProperties p = new RaftProperties();
    GrpcConfigKeys.setMessageSizeMax(p, MESSAGE);
    RaftClientConfigKeys.Rpc.setRequestTimeout(p, time(REQUEST_TIMEOUT));
    return p;
  }

  /** The same for servers and clients: a member is both. */
  static Parameters security(MemberOptions options) {
    Parameters parameters = new Parameters();
    options.tls().ifPresent(tls -> GrpcConfigKeys.TLS.setConf(parameters, config(tls)));
    return parameters;
  }

  /** What a server has beside. */
  static Parameters listening(MemberOptions options, GrpcServices.Customizer watch) {
    Parameters parameters = security(options);
    GrpcConfigKeys.Server.setServicesCustomizer(parameters, watch);
    return parameters;
  }

  /** The JDK's own TLS: no native library that a small device may lack. */
  private static GrpcTlsConfig config(Tls tls) {
    return GrpcTlsConfig.newBuilder()
        .setMutualTls(true)
        .setKeyManager(tls.keys())
        .setTrustManager(tls.trust())
        .setSslProvider(SslProvider.JDK)
        .setProtocols("TLSv1.3")
        .build();
  }
}

package io.sedge.connector.center;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import io.sedge.identity.Authority;
import io.sedge.identity.DeviceIdentity;
import io.sedge.uplink.EnrolmentAnswer;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.RowBlocks;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.StreamOpened;
import io.sedge.uplink.StreamOpening;
import io.sedge.uplink.Uplink;
import io.sedge.uplink.UplinkException;
import io.sedge.uplink.UplinkException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** A center in memory, which can be told to misbehave. Any thread. */
final class FakeCenter implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  private final Authority authority;
  private final HttpsServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  /** By what the stream is; guarded by this. */
  private final Map<String, Stream> streams = new LinkedHashMap<>();

  private @Nullable Reason refusing;
  private boolean older;
  private int lostAnswers;
  private long rowsBytes;
  private boolean denying;
  private int requests;
  private final List<String> order = new ArrayList<>();

  private static final class Stream {
    private final long id;
    private final StreamOpening opening;
    private final Map<Long, RowBlock> blocks = new LinkedHashMap<>();
    private final Map<String, String> rows = new LinkedHashMap<>();
    private long applied;

    Stream(long id, StreamOpening opening) {
      this.id = id;
      this.opening = opening;
    }
  }

  FakeCenter(Path directory) throws IOException, GeneralSecurityException {
    Instant now = InstantSource.system().instant();
    authority = Authority.create(directory.resolve("authority"), "center", now);
    DeviceIdentity.found(
        directory.resolve("identity"), authority, "center", List.of(HOST), now, Duration.ofDays(1));
    DeviceIdentity identity =
        DeviceIdentity.open(directory.resolve("identity"), InstantSource.system());
    SSLContext tls = SSLContext.getInstance("TLSv1.3");
    tls.init(new KeyManager[] {identity.keyManager()}, new TrustManager[] {identity.trust()}, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral(HOST), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters asking = tls.getDefaultSSLParameters();
            asking.setNeedClientAuth(true);
            parameters.setSSLParameters(asking);
          }
        });
    server.createContext(Uplink.ROOT, this::answer);
    server.setExecutor(executor);
    server.start();
  }

  /** What a site has that enrolled here. */
  String credential(long limit) throws GeneralSecurityException {
    KeyPair keys = SiteCredential.newKeys();
    EnrolmentAnswer answer =
        new EnrolmentAnswer(
            "north",
            authority.sign(
                "north",
                keys.getPublic(),
                List.of(),
                InstantSource.system().instant(),
                Duration.ofDays(1)),
            authority.certificate());
    return SiteCredential.of(HOST + ":" + server.getAddress().getPort(), limit, keys, answer)
        .text();
  }

  /** What is answered to all from now on; null for as it should be. */
  synchronized void refuse(@Nullable Reason reason) {
    refusing = reason;
  }

  /** Whether it is of a version that has none of the paths that are asked. */
  synchronized void beOlder(boolean yes) {
    older = yes;
  }

  private synchronized boolean isOlder() {
    return older;
  }

  /** Does what the next requests ask and ends their connections without a word. */
  synchronized void loseAnswers(int count) {
    lostAnswers = count;
  }

  /** What the bodies of requests with rows took, those included that were lost. */
  synchronized long rowsBytes() {
    return rowsBytes;
  }

  /** Says that it has stored nothing, whatever it has stored. */
  synchronized void denyRows(boolean yes) {
    denying = yes;
  }

  synchronized int requests() {
    return requests;
  }

  /** The tables whose rows have come, in order, one for each request. */
  synchronized List<String> order() {
    return List.copyOf(order);
  }

  /** All rows of all streams as text. */
  synchronized List<String> rows() {
    List<String> rows = new ArrayList<>();
    streams.values().forEach(stream -> rows.addAll(stream.rows.values()));
    return rows;
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    try (exchange) {
      if (isOlder()) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] answer;
      int status = 200;
      try {
        answer = answer(exchange.getRequestURI().getPath().substring(Uplink.ROOT.length()), body);
      } catch (UplinkException e) {
        status = e.reason().status();
        answer = e.reason().text(String.valueOf(e.getMessage())).getBytes(StandardCharsets.UTF_8);
      }
      if (!isLost()) {
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
      }
    }
  }

  private synchronized boolean isLost() {
    return lostAnswers-- > 0;
  }

  private synchronized byte[] answer(String path, byte[] body) throws UplinkException {
    requests++;
    if (refusing != null) {
      throw new UplinkException(refusing, "as the test has it");
    }
    if (path.equals(Uplink.STREAMS)) {
      StreamOpening opening = StreamOpening.read(body);
      Stream stream =
          streams.computeIfAbsent(
              String.join("/", opening.job(), opening.task(), opening.sink()),
              _ -> new Stream(streams.size(), opening));
      return new StreamOpened(stream.id, stream.applied).bytes();
    }
    long id = Long.parseLong(path.split("/", -1)[2]);
    Stream stream =
        streams.values().stream().filter(known -> known.id == id).findFirst().orElseThrow();
    order.add(stream.opening.sink());
    rowsBytes += body.length;
    for (RowBlock block : RowBlocks.read(body)) {
      apply(stream, block);
    }
    return ByteBuffer.allocate(Long.BYTES).putLong(denying ? 0 : stream.applied).array();
  }

  private static void apply(Stream stream, RowBlock block) throws UplinkException {
    if (block.last() <= stream.applied) {
      RowBlock known = stream.blocks.get(block.last());
      if (known == null || !java.util.Arrays.equals(known.bytes(), block.bytes())) {
        throw new UplinkException(Reason.SEQUENCE_WENT_BACK, "other rows");
      }
      return;
    }
    stream.applied = block.last();
    stream.blocks.put(block.last(), block);
    Batch batch = new RowsCodec(stream.opening.schema()).decode(block.rows(), block.bytes());
    for (int row = 0; row < batch.rows(); row++) {
      List<String> values = new ArrayList<>();
      for (int column = 0; column < batch.width(); column++) {
        values.add(Objects.toString(batch.column(column).value(row)));
      }
      List<Integer> key = stream.opening.primaryKey();
      String place =
          key.isEmpty()
              ? Long.toString(block.first() + row)
              : String.join("|", key.stream().map(values::get).toList());
      if (batch.change(row) == ChangeKind.DELETE) {
        stream.rows.remove(place);
      } else {
        stream.rows.put(place, String.join(",", values));
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    executor.close();
  }
}

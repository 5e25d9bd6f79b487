package io.sedge.format.avro.internal;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Takes an answer whole, up to a size. The JDK's own limit cannot be told from a connection that
 * breaks. For one answer; called by the client, one call at a time.
 */
final class LimitedBody implements BodySubscriber<byte[]> {
  /** The answer is larger. */
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;
  }

  private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
  private final long maxBytes;
  private long bytes;
  private Flow.@Nullable Subscription subscription;

  LimitedBody(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return whole.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    whole.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    bytes += buffers.stream().mapToLong(ByteBuffer::remaining).sum();
    if (bytes > maxBytes) {
      requireNonNull(subscription, "not subscribed").cancel();
      whole.onError(new TooLargeException());
    } else {
      whole.onNext(buffers);
    }
  }

  @Override
  public void onError(Throwable error) {
    whole.onError(error);
  }

  @Override
  public void onComplete() {
    whole.onComplete();
  }
}

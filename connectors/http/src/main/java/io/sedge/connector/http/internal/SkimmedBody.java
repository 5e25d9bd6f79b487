package io.sedge.connector.http.internal;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Takes the beginning of a body; the rest, if there is one, is broken off. Where the body is of no
 * interest nobody waits for it, but it may end by itself, so that its connection can be used again.
 */
final class SkimmedBody implements BodySubscriber<byte[]> {
  private final int mostBytes;
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private volatile Flow.@Nullable Subscription subscription;
  private volatile boolean broken;

  /**
   * @param ofInterest whether it is waited for
   */
  SkimmedBody(int mostBytes, boolean ofInterest) {
    this.mostBytes = mostBytes;
    if (!ofInterest) {
      body.complete(new byte[0]);
    }
  }

  /** Breaks off what has not ended by itself. Any thread. */
  void breakOff() {
    broken = true;
    Flow.Subscription its = subscription;
    if (its != null) {
      its.cancel();
    }
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    if (broken) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      byte[] bytes = new byte[Math.min(part.remaining(), mostBytes - taken.size())];
      part.get(bytes);
      taken.writeBytes(bytes);
    }
    Flow.Subscription its = subscription;
    if (its == null) {
      return;
    }
    if (taken.size() < mostBytes) {
      its.request(1);
    } else {
      its.cancel();
      body.complete(taken.toByteArray());
    }
  }

  @Override
  public void onError(Throwable thrown) {
    body.completeExceptionally(thrown);
  }

  @Override
  public void onComplete() {
    body.complete(taken.toByteArray());
  }
}

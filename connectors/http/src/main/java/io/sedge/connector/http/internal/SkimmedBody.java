package io.sedge.connector.http.internal;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes the beginning of a body; the rest, if there is one, is broken off. */
final class SkimmedBody implements BodySubscriber<byte[]> {
  private final int mostBytes;
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  SkimmedBody(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(1);
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

package io.sedge.center.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.center.store.StoreException.Reason;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What tests of the store say often. */
final class StoreAssertions {
  private StoreAssertions() {}

  static AbstractThrowableAssert<?, ? extends Throwable> refusedWith(
      Reason reason, ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.reason()).as(e.toString()).isEqualTo(reason));
  }
}

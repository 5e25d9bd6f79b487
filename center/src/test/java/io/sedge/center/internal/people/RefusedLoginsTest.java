package io.sedge.center.internal.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever guesses is in the audit log, whatever else he does. */
class RefusedLoginsTest {
  @TempDir Path directory;

  private Store store() throws StoreException {
    return Store.open(StoreOptions.embedded(directory), InstantSource.system(), _ -> {});
  }

  private static List<String> written(Store store) throws StoreException {
    return store.audit().latest(100).stream()
        .map(entry -> "%s: %s, %s".formatted(entry.who(), entry.subject(), entry.detail()))
        .toList();
  }

  @Test
  void rubbishDoesNotHideWhomSomebodyTries() throws Exception {
    try (Store store = store()) {
      RefusedLogins logins = new RefusedLogins(store.audit());
      for (int i = 0; i < 100; i++) {
        logins.refused(Optional.empty(), "2001:db8:0:1::%x".formatted(i));
      }
      for (int i = 0; i < 100; i++) {
        logins.refused(Optional.empty(), "10.0.0." + i);
      }
      logins.refused(Optional.of("anna"), "10.0.1.1");
      logins.refused(Optional.of("anna"), "10.0.1.2");
      logins.write();
      assertThat(written(store))
          .hasSize(RefusedLogins.MAX_ENTRIES + 2)
          .contains(
              "nobody (2001:db8:0:1::/64): unknown name, 100 times",
              "nobody (further addresses): unknown name, 69 times",
              "nobody (further addresses): anna, 2 times");
    }
  }

  @Test
  void whatCannotBeWrittenIsWrittenTheNextTime() throws Exception {
    RefusedLogins logins;
    try (Store store = store()) {
      logins = new RefusedLogins(store.audit());
      logins.refused(Optional.of("anna"), "10.0.0.1");
      logins.refused(Optional.of("bob"), "10.0.0.1");
    }
    assertThatThrownBy(logins::write).isInstanceOf(StoreException.class);
    assertThat(logins.waiting()).isEqualTo(2);
  }
}

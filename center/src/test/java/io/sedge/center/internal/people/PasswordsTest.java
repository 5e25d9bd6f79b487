package io.sedge.center.internal.people;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a password may be, and how it is kept. */
class PasswordsTest {
  @Test
  void ofAPasswordASaltedHashIsKeptThatSaysHowItWasMade() throws Exception {
    try (Passwords passwords = new Passwords()) {
      String hash = passwords.hash("four words of nobody");
      assertThat(hash)
          .matches("\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}");
      assertThat(passwords.hash("four words of nobody")).isNotEqualTo(hash);
      assertThat(passwords.isRight("four words of nobody", Optional.of(hash))).isTrue();
      assertThat(passwords.isRight("four words of Nobody", Optional.of(hash))).isFalse();
      assertThat(passwords.isRight("four words of nobody", Optional.empty())).isFalse();
    }
  }

  /** Other programs make the same of it: RFC 9106, by the reference implementation's command. */
  @Test
  void aHashOfAnotherProgramIsRead() throws Exception {
    try (Passwords passwords = new Passwords()) {
      assertThat(
              passwords.isRight(
                  "password",
                  Optional.of(
                      "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4")))
          .isTrue();
    }
  }

  /** A name may be typed on a Mac or on Windows, where accents are other characters. */
  @Test
  void theSameCharactersAreTheSamePassword() throws Exception {
    try (Passwords passwords = new Passwords()) {
      String hash = passwords.hash("vier W\u00f6rter und mehr");
      assertThat(passwords.isRight("vier Wo\u0308rter und mehr", Optional.of(hash))).isTrue();
    }
  }

  /** To bring a megabyte of marks into order takes minutes of a processor. */
  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whatIsLongerThanAnyPasswordIsWrongBeforeAnythingElseIsDone() throws Exception {
    try (Passwords passwords = new Passwords()) {
      String tooLong = "a".repeat(PasswordRules.MOST + 1);
      assertThat(passwords.isRight(tooLong, Optional.of(passwords.hash(tooLong)))).isFalse();
      String marks = "a" + "\u0301\u0316".repeat(1 << 19);
      assertThat(passwords.isRight(marks, Optional.empty())).isFalse();
      assertThat(PasswordRules.refusal("anna", marks)).isPresent();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          anna          | eleven char           | the password has 11 characters: from 12 to 128 are allowed
          anna          | twelve chars          |
          anna          | 密码密码中文和好的字数够   |
          anna          | 🐘🦊🐙🦉🐢             | the password has 5 characters
          anna          | Password1234!         | tried first
          anna          | QWERTYUIOP123         | tried first
          anna          | aaaaaaaaaaaabb        | tried first
          anna          | 121212121212121       | tried first
          anna.kowalska | Anna.Kowalska2026     | the password is the name
          1234567890123 | 1234567890123         | the password is the name
          anna          | no rule for signs     |
          """)
  void whatIsShortOrKnownIsRefused(String name, String password, String refusal) {
    Optional<String> said = PasswordRules.refusal(name, password);
    if (refusal == null) {
      assertThat(said).isEmpty();
    } else {
      assertThat(said.orElseThrow()).contains(refusal).doesNotContain(password);
    }
  }

  @Test
  void aLongPasswordIsTakenWholeAndATooLongOneNotAtAll() {
    String longest = "ab cd".repeat(26).substring(0, PasswordRules.MOST - 1) + "x";
    assertThat(PasswordRules.refusal("anna", longest)).isEmpty();
    assertThat(PasswordRules.refusal("anna", longest + "y").orElseThrow())
        .startsWith("the password has 129 characters");
  }

  @Test
  void ofSessionsOfAllPeopleThereAreAThousand() {
    Sessions sessions = new Sessions(System::nanoTime);
    Sessions.Begun first = sessions.begin("first");
    for (int i = 0; i < Sessions.MAX; i++) {
      var _ = sessions.begin("person " + i);
    }
    assertThat(sessions.find(first.token())).isEmpty();
    Sessions.Begun last = sessions.begin("last");
    assertThat(sessions.find(last.token())).contains(last.session());
    assertThat(last.toString() + last.session())
        .doesNotContain(last.token(), last.session().csrf());
  }
}

package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Site.State;
import io.sedge.center.store.StoreException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the center knows of sites, tokens and people. */
class RegistryTest extends StoreTestBase {
  RegistryTest(TestDatabase database) {
    super(database);
  }

  @Test
  void aNameBelongsToOneLedgerAndALedgerHasOneName() throws Exception {
    refusedWith(Reason.NAME_TAKEN, () -> store.sites().enrol(SITE, "another", "key"))
        .hasMessage(
            "another site is called 'north': choose another name; if it is that site made anew,"
                + " shut the one before out first (`sedge center site revoke north`)");
    refusedWith(Reason.NAME_TAKEN, () -> store.sites().enrol("south", "ledger-north", "key"))
        .hasMessage("this site is known as 'north' already: enrol it under that name");
    assertThat(store.sites().list()).hasSize(1);
  }

  /** A name goes into addresses, commands and logs, where a blank ends it and a line break lies. */
  @Test
  void aNewSiteHasANameWithoutBlanksAndCharactersThatAreNotShown() throws Exception {
    for (String name :
        List.of(
            "",
            " x",
            "x ",
            "plant north",
            "north\nsouth",
            "a\u001b[31m",
            "-x",
            "a/b",
            "a\u202eb")) {
      refusedWith(Reason.MALFORMED, () -> store.sites().enrol(name, "l", "key"))
          .hasMessageContaining("a site cannot be called '")
          .hasMessageContaining("letters, digits, dots, dashes and underscores are allowed")
          .message()
          .doesNotContainPattern("\\p{Cntrl}");
    }
    refusedWith(Reason.MALFORMED, () -> store.sites().enrol("x".repeat(64), "l", "key"));
    assertThat(store.sites().enrol("Köln-2.西厂", "ledger-2", "key-2").name()).isEqualTo("Köln-2.西厂");
  }

  // A token for that name would be of no use.
  @Test
  void noSiteMayHaveTheNameOfTheCentersOwnRows() throws Exception {
    refusedWith(Reason.NAME_TAKEN, () -> store.sites().checkName(Merges.CENTER))
        .hasMessage("'*' is what the center calls its own rows: call the site otherwise");
    refusedWith(Reason.NAME_TAKEN, () -> store.sites().enrol(Merges.CENTER, "l", "key"));
  }

  @Test
  void aSiteThatHasAnotherNameSinceBeforeKeepsIt() throws Exception {
    execute("UPDATE sedge_site SET name = 'plant north'");
    reopen();
    store.sites().checkName("plant north");
    assertThat(store.sites().enrol("plant north", "ledger-north", "key-3").state())
        .isEqualTo(State.ACTIVE);
  }

  @Test
  void aSiteMayEnrolAnewAlsoAfterItWasShutOut() throws Exception {
    store.sites().label(SITE, Map.of("city", "Köln"));
    store.sites().revoke(SITE);
    assertThat(store.sites().byFingerprint("key-north").orElseThrow().state())
        .isEqualTo(State.REVOKED);
    Site site = store.sites().enrol(SITE, "ledger-north", "key-2");
    assertThat(site.state()).isEqualTo(State.ACTIVE);
    assertThat(site.labels()).containsEntry("city", "Köln");
    assertThat(store.sites().byFingerprint("key-north")).isEmpty();
    assertThat(store.sites().byFingerprint("key-2")).contains(site);
    refusedWith(Reason.UNKNOWN_SITE, () -> store.sites().revoke("nobody"))
        .hasMessage("no site is called 'nobody'");
  }

  /** Its disk has died: what was shut out comes back as another ledger, beside its old rows. */
  @Test
  void aSiteThatIsMadeAnewHasItsNameAgainOnceTheOldOneIsShutOut() throws Exception {
    store.sites().revoke(SITE);
    Site site = store.sites().enrol(SITE, "another ledger", "key-9");
    assertThat(site.ledger()).isEqualTo("another ledger");
    assertThat(site.state()).isEqualTo(Site.State.ACTIVE);
    assertThat(site.generation()).isEqualTo(1);
  }

  @Test
  void whenASiteWasSeenIsWrittenOnceAMinute() throws Exception {
    store.sites().seen(SITE);
    Instant first = now;
    now = now.plusSeconds(59);
    store.sites().seen(SITE);
    assertThat(store.sites().find(SITE).orElseThrow().seenAt()).contains(first);
    now = now.plusSeconds(1);
    store.sites().seen(SITE);
    assertThat(store.sites().find(SITE).orElseThrow().seenAt()).contains(now);
    // The clock is put back by a day: the site is still seen to live.
    now = now.minus(Duration.ofDays(1));
    store.sites().seen(SITE);
    assertThat(store.sites().find(SITE).orElseThrow().seenAt()).contains(now);
  }

  @Test
  void aTokenIsUsedOnceAndAgainByTheSameKey() throws Exception {
    Enrolments tokens = store.enrolments();
    tokens.add("open", Optional.empty(), now.plusSeconds(60));
    tokens.add("named", Optional.of("south"), now.plusSeconds(60));
    assertThat(tokens.use("open", Optional.of("east"), "key-1")).contains("east");
    refusedWith(Reason.TOKEN_REFUSED, () -> tokens.use("open", Optional.of("east"), "key-1"));
    refusedWith(Reason.TOKEN_REFUSED, () -> tokens.use("open", Optional.of("west"), "key-2"))
        .hasMessage("the token was used already: make one for each site");
    refusedWith(Reason.TOKEN_REFUSED, () -> tokens.use("named", Optional.of("west"), "key-2"))
        .hasMessage("the token is for a site called 'south', not 'west'");
    assertThat(tokens.use("named", Optional.empty(), "key-2")).contains("south");
    refusedWith(Reason.TOKEN_REFUSED, () -> tokens.use("other", Optional.empty(), "key-3"));
    assertThat(tokens.list()).extracting(token -> token.usedBy().orElse("")).contains("south");
    assertThat(tokens.remove(tokens.list().getFirst().id())).isTrue();
    now = now.plusSeconds(60);
    refusedWith(Reason.TOKEN_REFUSED, () -> tokens.use("named", Optional.empty(), "key-2"));
  }

  @Test
  void anAccessTokenEndsAndCanBeTakenAway() throws Exception {
    AccessTokens tokens = store.tokens();
    tokens.add("a", "ann", Permission.everywhere(Role.ADMIN), Optional.empty());
    tokens.add("b", "bob", Permission.everywhere(Role.VIEWER), Optional.of(now.plusSeconds(60)));
    refusedWith(
            Reason.NAME_TAKEN,
            () -> tokens.add("c", "bob", Permission.everywhere(Role.VIEWER), Optional.empty()))
        .hasMessage("'bob' has a token: remove that one first, or take another name");
    assertThat(tokens.find("a").orElseThrow().permission().role().includes(Role.OPERATOR)).isTrue();
    assertThat(tokens.find("b").orElseThrow().permission().role().includes(Role.OPERATOR))
        .isFalse();
    assertThat(tokens.find("c")).isEmpty();
    now = now.plusSeconds(60);
    assertThat(tokens.find("b")).isEmpty();
    assertThat(tokens.remove("ann")).isTrue();
    assertThat(tokens.find("a")).isEmpty();
    assertThat(tokens.remove("ann")).isFalse();
    reopen();
    assertThat(store.tokens().list()).extracting(AccessTokens.Access::name).containsExactly("bob");
  }

  /** Names are any text; a list that is empty is not all sites. */
  @Test
  void sitesOfAPermissionAreKeptAsTheyAre() throws Exception {
    List<String> names = List.of("a, b", "line\nbreak\rx", "\u6e29");
    Permission some = new Permission(Role.OPERATOR, Optional.of(names));
    Permission none = new Permission(Role.OPERATOR, Optional.of(List.of()));
    store.tokens().add("a", "ann", some, Optional.empty());
    store.people().add("bob", some, "hash");
    store.people().add("eve", none, "hash");
    assertThat(store.people().asking("bob").orElseThrow().permission()).isEqualTo(some);
    assertThat(store.people().role("bob", Role.ENGINEER)).isTrue();
    reopen();
    assertThat(store.tokens().find("a").orElseThrow().permission()).isEqualTo(some);
    assertThat(store.people().asking("bob").orElseThrow().permission())
        .isEqualTo(new Permission(Role.ENGINEER, Optional.of(names)));
    assertThat(store.people().asking("eve").orElseThrow().permission()).isEqualTo(none);
    assertThat(store.people().permit("bob", Permission.everywhere(Role.VIEWER))).isTrue();
    assertThat(store.people().asking("bob").orElseThrow().permission().isEverywhere()).isTrue();
  }

  @Test
  void aPersonSetsAPasswordByALinkOnceAndInTime() throws Exception {
    People people = store.people();
    people.invite("anna", Permission.everywhere(Role.VIEWER), "code", now.plusSeconds(60));
    refusedWith(
            Reason.NAME_TAKEN,
            () ->
                people.invite("anna", Permission.everywhere(Role.ADMIN), "c", now.plusSeconds(60)))
        .hasMessage("a person is called 'anna': remove that one first, or take another name");
    assertThat(people.invited("code").orElseThrow().name()).isEqualTo("anna");
    assertThat(people.asking("anna").orElseThrow().password()).isEmpty();
    assertThat(people.accept("code", "hash")).isTrue();
    assertThat(people.accept("code", "another")).isFalse();
    assertThat(people.invited("code")).isEmpty();
    assertThat(people.asking("anna").orElseThrow().password()).contains("hash");
    assertThat(people.asking("anna").toString()).doesNotContain("hash");

    assertThat(people.password("anna", "other", "new")).isFalse();
    assertThat(people.password("anna", "hash", "new")).isTrue();
    assertThat(people.permit("anna", Permission.everywhere(Role.ADMIN))).isTrue();
    assertThat(people.asking("anna").orElseThrow().permission().role()).isEqualTo(Role.ADMIN);
    assertThat(people.reset("anna", "code 2", now.plusSeconds(60))).isTrue();
    assertThat(people.find("anna").orElseThrow().password()).isEmpty();
    now = now.plusSeconds(60);
    assertThat(people.invited("code 2")).isEmpty();
    assertThat(people.accept("code 2", "late")).isFalse();
    assertThat(people.remove("anna")).isTrue();
    assertThat(people.asking("anna")).isEmpty();
    assertThat(people.reset("anna", "code 3", now)).isFalse();
  }

  /** The provider would bring back whom an admin has removed. */
  @Test
  void whoLogsInAtAProviderIsShutOutBeforeHeIsForgotten() throws Exception {
    People people = store.people();
    Subject subject = new Subject("https://id.example.com", "7 of 9");
    Permission bounded = new Permission(Role.OPERATOR, Optional.of(List.of("north")));
    assertThat(people.enter(subject, "anna", bounded).permission()).isEqualTo(bounded);
    assertThat(people.enter(subject, "another", Permission.everywhere(Role.ADMIN)).permission())
        .as("the sites stay")
        .isEqualTo(new Permission(Role.ADMIN, Optional.of(List.of("north"))));
    assertThat(people.sites("anna", Optional.empty())).isTrue();
    assertThat(people.sites("bob", Optional.empty())).isFalse();
    assertThat(people.asking("anna").orElseThrow().permission())
        .isEqualTo(Permission.everywhere(Role.ADMIN));

    assertThat(people.shutOut("anna")).isTrue();
    assertThat(people.asking("anna")).isEmpty();
    assertThat(people.find(subject).orElseThrow().isShutOut()).isTrue();
    assertThat(people.shutOut("anna")).as("he is").isFalse();
    refusedWith(Reason.NAME_TAKEN, () -> people.checkRoom("anna"));
    assertThat(people.remove("anna")).isTrue();
    assertThat(people.find(subject)).isEmpty();

    people.add("bob", Permission.everywhere(Role.VIEWER), "hash");
    assertThat(people.shutOut("bob")).as("whom a password lets in").isFalse();
  }

  @Test
  void whenSomebodyWasThereIsStoredOnceAMinuteAndNobodyWaitsForIt() throws Exception {
    People people = store.people();
    AccessTokens tokens = store.tokens();
    people.add("anna", Permission.everywhere(Role.VIEWER), "hash");
    tokens.add("a", "grafana", Permission.everywhere(Role.VIEWER), Optional.empty());
    assertThat(people.asking("anna")).isPresent();
    assertThat(tokens.find("a")).isPresent();
    assertThat(people.list().getFirst().seenAt()).as("a look-up is no use").isEmpty();
    assertThat(tokens.list().getFirst().usedAt()).isEmpty();
    Store closed = store;
    people.seen("anna");
    tokens.used("grafana");
    assertThat(people.list().getFirst().seenAt()).contains(now);
    assertThat(tokens.list().getFirst().usedAt()).contains(now);
    reopen();
    assertThat(store.people().list().getFirst().seenAt()).contains(now);
    assertThat(store.tokens().list().getFirst().usedAt()).contains(now);

    people.seen("anna");
    tokens.used("grafana");
    assertThat(people.asking("anna")).as("it is known, though the database is away").isPresent();
    refusedWith(Reason.STORE_UNAVAILABLE, closed::writeLastUse);
  }

  @Test
  void theAuditLogHasTheLatestFirst() throws Exception {
    store.audit().record("ann", "revoke", "north", "left");
    now = now.plusSeconds(1);
    store.audit().record("bob", "label", "south", "");
    assertThat(store.audit().latest(2))
        .containsExactly(
            new AuditLog.Entry(now, "bob", "label", "south", ""),
            new AuditLog.Entry(now.minusSeconds(1), "ann", "revoke", "north", "left"));
  }
}

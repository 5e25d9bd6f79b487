package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Browser;
import io.sedge.system.testkit.LoginProvider;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** People log in to a center at a provider that none of us has written, in a real browser. */
@Timeout(300)
final class SingleSignOnTest {
  private static final String SECRET = "of the client, with : and +";

  @TempDir private Path directory;

  @Test
  void peopleLogInWithTheirAccountOfTheProvider() throws Exception {
    Browser.assumeInstalled();
    Sedge sedge = Sedge.in(directory);
    SiteProcesses commands = new SiteProcesses(sedge, SiteNetwork.loopback());
    int port = SiteProcesses.freePorts();
    String address = "https://127.0.0.1:" + (port + 1);
    try (LoginProvider provider = LoginProvider.start(address + "/", SECRET)) {
      file(provider.issuer());
      try (SedgeProcess center =
          sedge.start(
              "center",
              "start",
              "--data",
              "center",
              "--listen",
              "127.0.0.1:" + port,
              "--oidc",
              "oidc.properties")) {
        center.awaitMessage("people and programs ask " + address);
        anna(address, provider, commands);
        bob(address, commands);
        assertThat(center.err()).noneMatch(line -> line.contains("login provider"));
      }
    }
  }

  private void file(String issuer) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("oidc.properties"),
            """
            issuer = %s
            client-id = sedge
            client-secret = %s
            role.admin = sedge-admins
            role.engineer = plant-engineers
            label = the plant
            """
                .formatted(issuer, SECRET));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** Is let in as an admin, twice, and finds nothing of the codes in the address. */
  private static void anna(String address, LoginProvider provider, SiteProcesses commands) {
    try (Browser browser = Browser.start()) {
      browser.open(address);
      browser.awaitText("Log in at the plant");
      assertThat(browser.barriers()).isEmpty();
      browser.click("Log in at the plant");
      logIn(browser, "anna");
      browser.awaitText("Log out");
      assertThat(browser.run("return location.href")).isEqualTo(address + "/#/");
      assertThat(browser.run("return document.cookie")).as("what scripts see").isEqualTo("");
      browser.open(address + "/#/settings");
      browser.awaitText(provider.issuer());
      assertThat(browser.text()).contains("anna · admin").doesNotContain("Your password");
      assertThat(commands.answer("center", "person", "list", "--data", "center"))
          .containsPattern("anna +admin +.* " + provider.issuer());
      browser.click("Log out");
      browser.click("Log in at the plant");
      // The provider's own session goes on.
      browser.awaitText("Log out");
      assertThat(browser.run("return location.search")).isEqualTo("");
      assertThat(browser.faults()).noneMatch(fault -> fault.contains(address));
    }
  }

  /** Is known there, and nobody here. */
  private static void bob(String address, SiteProcesses commands) {
    try (Browser browser = Browser.start()) {
      browser.open(address);
      browser.click("Log in at the plant");
      logIn(browser, "bob");
      browser.awaitText("its claim 'groups' gives you no role at this center");
      assertThat(browser.run("return location.search")).isEqualTo("");
      browser.open(address + "/#/overview");
      browser.awaitText("Log in at the plant");
      assertThat(browser.count("nav")).as("what is behind the login").isZero();
      assertThat(commands.answer("center", "person", "list", "--data", "center"))
          .doesNotContain("bob");

      // Who does not agree comes back without a code.
      browser.open(address + "/?error=access_denied&state=none");
      browser.awaitText("The login provider has refused: access_denied.");
      browser.open(address + "/?error=%3Cb%3E&state=none");
      browser.awaitText("The login provider has refused: ….");
    }
  }

  private static void logIn(Browser browser, String name) {
    browser.type("input[name=login]", name);
    browser.type("input[name=password]", "any");
    browser.click("Sign-in");
    browser.click("Continue");
  }
}

package io.sedge.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The broker keeps a session under it, which whoever takes a shard over must find again. */
final class ClientIdsTest {
  @Test
  void aShortPlainNameIsTheIdentifierItself() {
    assertThat(ClientIds.of("line-3/plant/temperature/pump-1"))
        .isEqualTo("line-3/plant/temperature/pump-1");
  }

  @Test
  void namesThatBrokersMayRefuseGetAnotherFormAndStayDifferent() {
    String long1 = "site/".repeat(30) + "1";
    String long2 = "site/".repeat(30) + "2";
    assertThat(ClientIds.of(long1))
        .hasSize(57)
        .matches("[0-9a-z/-]+")
        .isEqualTo(ClientIds.of(long1));
    assertThat(ClientIds.of(long2)).isNotEqualTo(ClientIds.of(long1));
    assertThat(ClientIds.of("a+b")).startsWith("a_b-").isNotEqualTo(ClientIds.of("a#b"));
    assertThat(ClientIds.of("Halle 3, Öfen")).matches("[0-9A-Za-z._/-]+");
  }
}

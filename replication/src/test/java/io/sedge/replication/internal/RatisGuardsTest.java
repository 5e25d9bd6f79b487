package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Provider;
import java.security.Security;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.util.BouncyCastleUtil;
import org.junit.jupiter.api.Test;

/** What Netty is kept from. */
class RatisGuardsTest {
  /** It would cost each start a quarter of a second, and 750 classes. */
  @Test
  void nettyMakesNoProviderOfCryptography() {
    RatisGuards.tame();
    assertThat(BouncyCastleUtil.getBcProviderJce().getServices()).isEmpty();
  }

  @Test
  void theJdksOwnProvidersAreWhatTheyWere() {
    RatisGuards.tame();
    assertThat(Security.getProviders()).extracting(Provider::getName).doesNotContain("BC");
    assertThat(Security.getProvider("SunJSSE")).isNotNull();
  }
}

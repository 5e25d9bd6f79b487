package io.sedge.connector.opcua.internal;

import java.util.stream.Stream;
import org.eclipse.milo.opcua.stack.core.security.SecurityPolicy;

/** How a connection is secured; the names are those of OPC UA. */
enum Policy {
  NONE(SecurityPolicy.None),
  BASIC256_SHA256(SecurityPolicy.Basic256Sha256),
  AES128(SecurityPolicy.Aes128_Sha256_RsaOaep),
  AES256(SecurityPolicy.Aes256_Sha256_RsaPss);

  private final SecurityPolicy policy;

  Policy(SecurityPolicy policy) {
    this.policy = policy;
  }

  static Policy named(String name) {
    return Stream.of(values()).filter(p -> p.toString().equals(name)).findFirst().orElseThrow();
  }

  String uri() {
    return policy.getUri();
  }

  @Override
  public String toString() {
    return policy.name();
  }
}

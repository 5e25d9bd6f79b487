package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sedge.task.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is wrong with a report to Kafka is said before the site has anything of it. */
@Timeout(300)
final class SiteReportCommandTest {
  private static final String CERTIFICATE =
      "-----BEGIN CERTIFICATE-----\nMIIB\nAA==\n-----END CERTIFICATE-----";
  private static final String KEY = "-----BEGIN PRIVATE KEY-----\nMIIC\n-----END PRIVATE KEY-----";

  @TempDir Path directory;

  private void write(String file, String text, String permissions) throws IOException {
    Path path = Files.writeString(directory.resolve(file), text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void whatCannotBeIsRefusedAndNoSecretIsSet() throws Exception {
    write("open.properties", "security.protocol=SSL", "rw-r--r--");
    write("place.properties", "bootstrap.servers=a:9092", "rw-------");
    write("wrong.properties", "securty.protocol=SSL", "rw-------");
    write("unsafe.properties", "acks=1", "rw-------");
    write("half.properties", "security.protocol=SASL_SSL", "rw-------");
    write("store.properties", "ssl.truststore.location=store.p12", "rw-------");
    write("absent.properties", "ssl.keystore.location=absent.pem", "rw-------");
    write("store.p12", "0\u0082\u0001", "rw-------");
    DeviceRunner devices = new DeviceRunner(directory);
    devices.start("device start --data a --name a --listen 127.0.0.1");
    for (String line :
        List.of(
            "kafka://127.0.0.1:1 --as north | 3 | Kafka at 127.0.0.1:1: nothing listens at"
                + " 127.0.0.1:1 (connection refused)",
            "kafka://plant --as north | 2 | kafka://plant is not kafka://HOST:9092",
            "kafka://ann:abc@plant:9092 --as north | 2 | --to has no login",
            "kafka://127.0.0.1:1 | 2 | --as is missing: rows in topics have it as `_site`",
            "kafka://127.0.0.1:1 --as no/rth | 2 | --as=no/rth: rows of Kafka call a site by",
            "kafka://127.0.0.1:1 --as north --topics a/ | 2 | --topics=a/: it is up to 100",
            "kafka://127.0.0.1:1 --as north --secret 1 | 2 | --secret=1: it is 1 to 64",
            "kafka://127.0.0.1:1 --as north --token x | 2 | --token is for a center",
            "kafka://127.0.0.1:1 --as north --uplink 256k | 2 | --uplink is for a center",
            "127.0.0.1:1 --token x --topics a. | 2 | --topics goes with --to kafka://HOST:9092",
            "127.0.0.1:1 --token x --secret b | 2 | --secret goes with --to kafka://HOST:9092",
            "kafka://127.0.0.1:1 --as north --properties open.properties | 2 | can be read by other"
                + " users of this machine",
            "kafka://127.0.0.1:1 --as north --properties place.properties | 2 | bootstrap.servers"
                + " stands in it, and --to says it",
            "kafka://127.0.0.1:1 --as north --properties wrong.properties | 2 | option"
                + " 'securty.protocol' is unknown",
            "kafka://127.0.0.1:1 --as north --properties unsafe.properties | 2 | 'acks' ",
            "kafka://127.0.0.1:1 --as north --properties half.properties | 2 | option"
                + " 'sasl.jaas.config' is missing",
            "kafka://127.0.0.1:1 --as north --properties store.properties | 2 |"
                + " ssl.truststore.location=store.p12 is no file in PEM with certificates",
            "kafka://127.0.0.1:1 --as north --properties absent.properties | 2 |"
                + " ssl.keystore.location=absent.pem cannot be read: there is no such file")) {
      String[] parts = line.split(" \\| ", -1);
      assertThat(
              devices
                  .run(Integer.parseInt(parts[1]), "site report --data a --to " + parts[0])
                  .err())
          .as(line)
          .contains(parts[2]);
    }
    assertThat(devices.run(0, "secret list --data a --output json").out()).doesNotContain("center");
    devices.stop();
  }

  /** Other devices do not have the files. */
  @Test
  void filesInPemGoAlongAsText() throws Exception {
    write("ca.pem", "of the plant\n" + CERTIFICATE + "\n" + CERTIFICATE + "\n", "rw-r--r--");
    write("own.pem", KEY + "\n" + CERTIFICATE + "\n", "rw-------");
    write(
        "client.properties",
        "security.protocol=SSL\nssl.truststore.location=ca.pem\nssl.keystore.location=own.pem\n",
        "rw-------");
    TopicOptions options =
        CommandLine.populateCommand(new TopicOptions(), "--properties=client.properties");
    assertThat(options.properties(new CommandRunner(directory).surroundings()))
        .containsOnlyKeys(
            "security.protocol",
            "ssl.truststore.type",
            "ssl.truststore.certificates",
            "ssl.keystore.type",
            "ssl.keystore.certificate.chain",
            "ssl.keystore.key")
        .containsEntry("ssl.truststore.type", "PEM")
        .containsEntry("ssl.truststore.certificates", CERTIFICATE + "\n" + CERTIFICATE)
        .containsEntry("ssl.keystore.type", "PEM")
        .containsEntry("ssl.keystore.certificate.chain", CERTIFICATE)
        .containsEntry("ssl.keystore.key", KEY);
  }

  @Test
  void aFileOfTwoKeysIsRefused() throws Exception {
    write("own.pem", KEY + "\n" + KEY + "\n" + CERTIFICATE, "rw-------");
    write("client.properties", "ssl.keystore.location=own.pem", "rw-------");
    TopicOptions options =
        CommandLine.populateCommand(new TopicOptions(), "--properties=client.properties");
    assertThat(
            catchThrowableOfType(
                JobException.class,
                () -> options.properties(new CommandRunner(directory).surroundings())))
        .hasMessageContaining("is no file in PEM with certificates and one private key");
  }
}

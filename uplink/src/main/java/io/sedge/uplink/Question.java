package io.sedge.uplink;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.UUID;

/**
 * What somebody at the center wants to know of a site at once. Unlike an {@link Order} it changes
 * nothing and is kept nowhere: what is lost on its way is asked again by who still wants it.
 *
 * @param kind of the question, by a name that does not change between versions
 * @param device whose answer is wanted; empty for all of the site
 * @param job about which; empty for all
 * @param askedBy who asks, for the site's people
 * @param lifeMillis for how long somebody waits for the answer
 */
public record Question(
    UUID id, String kind, String device, String job, String askedBy, int lifeMillis) {
  /** What devices have said; answered by a {@link SiteLog}. */
  public static final String LOG = "log";

  /** What somebody needs who looks for a fault of a device; answered by a zip file. */
  public static final String BUNDLE = "bundle";

  private static final int MAX_TEXT = 1_000;

  public Question {
    for (String text : new String[] {kind, device, job, askedBy}) {
      if (text.length() > MAX_TEXT) {
        throw new IllegalArgumentException(
            "a question with a text of %,d characters".formatted(text.length()));
      }
    }
  }

  /** Behind its length: a version before passes over what a later one adds. */
  void write(DataOutputStream output) throws IOException {
    Wire.writeBytes(output, Wire.write(this::writeFields));
  }

  private void writeFields(DataOutputStream output) throws IOException {
    Wire.writeId(output, id);
    output.writeUTF(kind);
    output.writeUTF(device);
    output.writeUTF(job);
    output.writeUTF(askedBy);
    output.writeInt(lifeMillis);
  }

  static Question read(DataInputStream input) throws IOException {
    DataInputStream fields = new DataInputStream(new ByteArrayInputStream(Wire.readBytes(input)));
    return new Question(
        Wire.readId(fields),
        fields.readUTF(),
        fields.readUTF(),
        fields.readUTF(),
        fields.readUTF(),
        fields.readInt());
  }
}

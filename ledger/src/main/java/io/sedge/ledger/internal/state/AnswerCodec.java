package io.sedge.ledger.internal.state;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of answers: version (1), index (8), count (4), then each.
 *
 * <pre>
 *   Done      1, index (8), value (8)
 *   Repeated  2, index (8)
 *   Refused   3, reason (1), value (8)
 * </pre>
 */
public final class AnswerCodec {
  private static final int DONE = 1;
  private static final int REPEATED = 2;
  private static final int REFUSED = 3;

  private AnswerCodec() {}

  public static byte[] encode(Answers answers) {
    return Encoder.bytesOf(encoder -> write(answers, encoder));
  }

  public static Answers decode(byte[] bytes) throws MalformedException {
    return Decoder.of(bytes, AnswerCodec::read);
  }

  static void write(Answers answers, Encoder encoder) throws IOException {
    encoder.writeByte(CommandCodec.VERSION);
    encoder.writeLong(answers.index());
    encoder.writeInt(answers.answers().size());
    for (Answer answer : answers.answers()) {
      writeOne(answer, encoder);
    }
  }

  private static void writeOne(Answer answer, Encoder encoder) throws IOException {
    switch (answer) {
      case Answer.Done(long index, long value) -> {
        encoder.writeByte(DONE);
        encoder.writeLong(index);
        encoder.writeLong(value);
      }
      case Answer.Repeated(long index) -> {
        encoder.writeByte(REPEATED);
        encoder.writeLong(index);
      }
      case Answer.Refused(Refusal reason, long value) -> {
        encoder.writeByte(REFUSED);
        encoder.writeByte(reason.code());
        encoder.writeLong(value);
      }
    }
  }

  static Answers read(Decoder decoder) throws IOException, MalformedException {
    CommandCodec.checkVersion(decoder.readByte());
    long index = decoder.readLong();
    int count = decoder.readCount(1 + Long.BYTES, Envelope.MAX_COMMANDS);
    List<Answer> answers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      answers.add(readOne(decoder));
    }
    return new Answers(index, answers);
  }

  private static Answer readOne(Decoder decoder) throws IOException, MalformedException {
    int type = decoder.readByte();
    return switch (type) {
      case DONE -> new Answer.Done(decoder.readLong(), decoder.readLong());
      case REPEATED -> new Answer.Repeated(decoder.readLong());
      case REFUSED -> new Answer.Refused(Refusal.ofCode(decoder.readByte()), decoder.readLong());
      default -> throw new MalformedException("an answer of type " + type);
    };
  }
}

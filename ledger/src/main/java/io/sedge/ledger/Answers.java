package io.sedge.ledger;

import io.sedge.ledger.internal.state.AnswerCodec;
import java.util.List;

/**
 * What came of an envelope.
 *
 * @param index of the log entry that was answered
 * @param answers one for each command
 */
public record Answers(long index, List<Answer> answers) {
  public Answers {
    answers = List.copyOf(answers);
  }

  public byte[] encode() {
    return AnswerCodec.encode(this);
  }

  public static Answers decode(byte[] bytes) throws MalformedException {
    return AnswerCodec.decode(bytes);
  }
}

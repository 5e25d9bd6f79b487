package io.sedge.identity;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sedge.site.api.LeftOutPage;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.ModelDrift;
import java.time.Duration;
import java.util.Map;

/**
 * What is asked of a device; but for its log, what it has left out, the drift of its models, its
 * bundle, files and rows, of one that has the authority.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = EnrolmentRequest.Join.class, name = "join"),
  @JsonSubTypes.Type(value = EnrolmentRequest.Admit.class, name = "admit"),
  @JsonSubTypes.Type(value = EnrolmentRequest.Renew.class, name = "renew"),
  @JsonSubTypes.Type(value = EnrolmentRequest.MakeToken.class, name = "token"),
  @JsonSubTypes.Type(value = EnrolmentRequest.TakeAuthority.class, name = "authority"),
  @JsonSubTypes.Type(value = EnrolmentRequest.ReadLog.class, name = "log"),
  @JsonSubTypes.Type(value = EnrolmentRequest.ReadLeftOut.class, name = "leftOut"),
  @JsonSubTypes.Type(value = EnrolmentRequest.ReadDrifts.class, name = "drifts"),
  @JsonSubTypes.Type(value = EnrolmentRequest.ReadBundle.class, name = "bundle"),
  @JsonSubTypes.Type(value = EnrolmentRequest.ReadFile.class, name = "file"),
  @JsonSubTypes.Type(value = EnrolmentRequest.OfferFile.class, name = "offer"),
  @JsonSubTypes.Type(value = EnrolmentRequest.Train.class, name = "train")
})
sealed interface EnrolmentRequest {
  /** Of most requests and answers. */
  int MAX_BYTES = 16 << 10;

  /** Of a request of a device of the site. Base64 has four characters for three bytes. */
  int MAX_MEMBER_BYTES = MAX_BYTES + TrainingStep.MAX_BYTES / 3 * 4;

  /** Of this one. */
  default int maxBytes() {
    return MAX_BYTES;
  }

  /** Of its answer. */
  default int maxAnswerBytes() {
    return MAX_BYTES;
  }

  /** How long whoever asks may take to take the answer. */
  default Duration answerPatience() {
    return EnrolmentServer.PATIENCE;
  }

  /**
   * A newcomer asks for a certificate.
   *
   * @param token the secret part of it
   * @param signingRequest PKCS #10
   * @param address of its ledger to be, {@code host:port}
   * @param labels that a person gave it
   * @param atMillis its wall clock
   * @param format the latest format of a ledger that it reads; 0 of versions that know none
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Join(
      byte[] token,
      byte[] signingRequest,
      String address,
      Map<String, String> labels,
      long atMillis,
      int format)
      implements EnrolmentRequest {
    public Join {
      labels = Map.copyOf(labels);
    }

    @Override
    public String toString() {
      return "Join[address=%s]".formatted(address);
    }
  }

  /** One that has its certificate has started, and waits to be made a member of the ledger. */
  record Admit(String member, String address, boolean voter) implements EnrolmentRequest {}

  /** A device asks for another certificate for the same key and name. */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Renew(byte[] signingRequest, String host) implements EnrolmentRequest {}

  /** A device asks for a token, for a person. */
  record MakeToken(long validMillis) implements EnrolmentRequest {}

  /** A device asks for the authority, which a person has offered it. */
  record TakeAuthority() implements EnrolmentRequest {}

  /** A device asks what this one and its tasks have said, for a person. */
  record ReadLog(LogQuery query) implements EnrolmentRequest {
    public ReadLog {
      requireNonNull(query, "no query");
    }

    /** UTF-8 takes three bytes for a character at most. */
    @Override
    public int maxAnswerBytes() {
      return MAX_BYTES + 3 * LogPage.MAX_CHARACTERS;
    }
  }

  /** A device asks what this one's tasks of a job have left out, for a person. */
  record ReadLeftOut(String job) implements EnrolmentRequest {
    public ReadLeftOut {
      requireNonNull(job, "no job");
    }

    /** UTF-8 takes three bytes for a character at most. */
    @Override
    public int maxAnswerBytes() {
      return MAX_BYTES + 3 * LeftOutPage.MAX_CHARACTERS;
    }
  }

  /** A device asks what this one knows of the drift of a job's models, for a person. */
  record ReadDrifts(String job) implements EnrolmentRequest {
    /** Of names, in UTF-8, and numbers. */
    private static final int BYTES_OF_ONE = 2_048;

    public ReadDrifts {
      requireNonNull(job, "no job");
    }

    @Override
    public int maxAnswerBytes() {
      return MAX_BYTES + BYTES_OF_ONE * ModelDrift.MAX_COUNT;
    }
  }

  /** A device asks for a bundle of this one, for a person. */
  record ReadBundle() implements EnrolmentRequest {
    /** Base64 has four characters for three bytes. */
    @Override
    public int maxAnswerBytes() {
      return MAX_BYTES + Enrolment.MAX_BUNDLE_BYTES / 3 * 4;
    }

    /** On a slow link. */
    @Override
    public Duration answerPatience() {
      return Duration.ofSeconds(60);
    }
  }

  /** A device tells of a file of a job that is about to be submitted. */
  record OfferFile(FileOffer file) implements EnrolmentRequest {
    public OfferFile {
      requireNonNull(file, "no file");
    }
  }

  /** A device that trains a model asks for sums over rows. */
  record Train(TrainingStep step) implements EnrolmentRequest {
    public Train {
      requireNonNull(step, "no step");
    }

    @Override
    public int maxBytes() {
      return MAX_MEMBER_BYTES;
    }

    @Override
    public int maxAnswerBytes() {
      return MAX_MEMBER_BYTES;
    }
  }

  /** A device asks for a part of a job's file. */
  record ReadFile(String sha256, long offset) implements EnrolmentRequest {
    public ReadFile {
      requireNonNull(sha256, "no hash");
    }

    /** Base64 has four characters for three bytes. */
    @Override
    public int maxAnswerBytes() {
      return MAX_BYTES + FilePart.MAX_BYTES / 3 * 4;
    }
  }
}

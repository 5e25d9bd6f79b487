package io.sedge.identity;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sedge.site.api.LeftOutPage;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.ModelDrift;
import io.sedge.task.FailureCode;
import java.util.List;
import java.util.UUID;

/** What a device answers; one that lacks a part is no answer. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = EnrolmentAnswer.Welcome.class, name = "welcome"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.Admitted.class, name = "admitted"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.Renewed.class, name = "renewed"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.TokenMade.class, name = "token"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.AuthorityGiven.class, name = "authority"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.LogRead.class, name = "log"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.LeftOutRead.class, name = "leftOut"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.DriftsRead.class, name = "drifts"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.BundleRead.class, name = "bundle"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.FileRead.class, name = "file"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.FileOffered.class, name = "offered"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.Trained.class, name = "trained"),
  @JsonSubTypes.Type(value = EnrolmentAnswer.Refused.class, name = "refused")
})
sealed interface EnrolmentAnswer {
  /**
   * @param certificate the newcomer's, DER
   * @param authority the authority's, DER
   * @param site the ledger's
   * @param voter whether the newcomer will vote
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Welcome(byte[] certificate, byte[] authority, UUID site, boolean voter)
      implements EnrolmentAnswer {
    public Welcome {
      requireNonNull(certificate, "no certificate");
      requireNonNull(authority, "no authority");
      requireNonNull(site, "no site");
    }
  }

  record Admitted() implements EnrolmentAnswer {}

  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Renewed(byte[] certificate) implements EnrolmentAnswer {
    public Renewed {
      requireNonNull(certificate, "no certificate");
    }
  }

  record TokenMade(String text, String address, long endsAtMillis) implements EnrolmentAnswer {
    public TokenMade {
      requireNonNull(text, "no text");
      requireNonNull(address, "no address");
    }

    @Override
    public String toString() {
      return "TokenMade[address=%s]".formatted(address);
    }
  }

  /**
   * @param key the authority's secret, PKCS #8
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record AuthorityGiven(byte[] key) implements EnrolmentAnswer {
    public AuthorityGiven {
      requireNonNull(key, "no key");
    }

    @Override
    public String toString() {
      return "AuthorityGiven[...]";
    }
  }

  record LogRead(LogPage page) implements EnrolmentAnswer {
    public LogRead {
      requireNonNull(page, "no page");
    }
  }

  record DriftsRead(List<ModelDrift> drifts) implements EnrolmentAnswer {
    public DriftsRead {
      drifts = List.copyOf(requireNonNull(drifts, "no drifts"));
      if (drifts.size() > ModelDrift.MAX_COUNT) {
        throw new IllegalArgumentException(
            "%,d drifts, allowed are %,d".formatted(drifts.size(), ModelDrift.MAX_COUNT));
      }
    }
  }

  record LeftOutRead(LeftOutPage page) implements EnrolmentAnswer {
    public LeftOutRead {
      requireNonNull(page, "no page");
    }
  }

  /**
   * @param zip the file
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record BundleRead(byte[] zip) implements EnrolmentAnswer {
    public BundleRead {
      requireNonNull(zip, "no file");
    }
  }

  record FileRead(FilePart part) implements EnrolmentAnswer {
    public FileRead {
      requireNonNull(part, "no part");
    }
  }

  /**
   * @param there whether the device has the file by now
   */
  record FileOffered(boolean there) implements EnrolmentAnswer {}

  record Trained(TrainingReply reply) implements EnrolmentAnswer {
    public Trained {
      requireNonNull(reply, "no reply");
    }
  }

  record Refused(FailureCode code, String message) implements EnrolmentAnswer {
    public Refused {
      requireNonNull(code, "no code");
      requireNonNull(message, "no message");
    }
  }
}

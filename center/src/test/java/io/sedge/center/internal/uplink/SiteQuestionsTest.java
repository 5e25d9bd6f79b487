package io.sedge.center.internal.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.internal.uplink.SiteQuestions.Outcome;
import io.sedge.center.internal.uplink.SiteQuestions.Silence;
import io.sedge.uplink.OrderAnswer;
import io.sedge.uplink.OrderPoll.Wants;
import io.sedge.uplink.Question;
import io.sedge.uplink.QuestionAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class SiteQuestionsTest {
  private static final Wants WANTS = Wants.ORDERS_AND_QUESTIONS;
  private static final Duration LONG = Duration.ofMinutes(5);

  private final SiteQuestions questions = new SiteQuestions();
  private final Semaphore called = new Semaphore(0);

  private static Question question() {
    return new Question(UUID.randomUUID(), Question.LOG, "", "", "anna", 30_000);
  }

  private CompletableFuture<Outcome> asking(String site, Question question) throws Exception {
    questions.whenAsked(_ -> called.release());
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                outcome.complete(questions.ask(site, question, LONG));
              } catch (InterruptedException e) {
                outcome.completeExceptionally(e);
              }
            });
    called.acquire();
    return outcome;
  }

  /** It is said whether the site has heard of it at all. */
  @Test
  void whoDoesNotAnswerInTimeIsAwayOrSlow() throws Exception {
    assertThat(questions.ask("north", question(), Duration.ZERO).silence()).contains(Silence.AWAY);
    assertThat(questions.take("north", WANTS)).as("nobody waits any more").isEmpty();
    questions.whenAsked(site -> assertThat(questions.take(site, WANTS)).hasSize(1));
    assertThat(questions.ask("north", question(), Duration.ZERO).silence()).contains(Silence.SLOW);
  }

  @Test
  void eachIsTakenOnceByItsSiteAndAnsweredByIt() throws Exception {
    Question question = question();
    CompletableFuture<Outcome> outcome = asking("north", question);
    QuestionAnswer answer = QuestionAnswer.refused("no");
    questions.answer("north", question.id(), answer);
    assertThat(questions.take("south", WANTS)).isEmpty();
    assertThat(questions.take("north", WANTS)).containsExactly(question);
    assertThat(questions.take("north", WANTS)).isEmpty();
    questions.answer("south", question.id(), answer);
    questions.answer("north", UUID.randomUUID(), answer);
    assertThat(outcome).as("what nobody was asked is passed over").isNotDone();
    questions.answer("north", question.id(), answer);
    assertThat(outcome.get().answer()).contains(answer);
  }

  @Test
  void soManyWaitAndNoMore() throws Exception {
    List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      waiting.add(asking("site-" + i / 4, question()));
      if (i == 3) {
        assertThat(questions.ask("site-0", question(), LONG).silence())
            .as("one site leaves room for others")
            .contains(Silence.BUSY);
      }
    }
    assertThat(questions.ask("north", question(), LONG).silence()).contains(Silence.BUSY);
    for (int i = 0; i < 4; i++) {
      String site = "site-" + i;
      List<Question> taken = questions.take(site, WANTS);
      assertThat(taken).hasSize(OrderAnswer.MAX_QUESTIONS);
      taken.forEach(one -> questions.answer(site, one.id(), QuestionAnswer.refused("no")));
    }
    for (CompletableFuture<Outcome> one : waiting) {
      assertThat(one.get().answer()).isPresent();
    }
  }

  /** A version before would be waited for in vain. */
  @Test
  void aSiteThatWantsNoneIsNotAsked() throws Exception {
    assertThat(questions.take("north", Wants.ORDERS)).isEmpty();
    assertThat(questions.ask("north", question(), LONG).silence()).contains(Silence.DEAF);
    assertThat(questions.take("north", WANTS)).isEmpty();
    assertThat(questions.ask("north", question(), Duration.ZERO).silence()).contains(Silence.AWAY);
  }
}

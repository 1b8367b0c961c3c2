/* What a bare client of libnats does with a stream, to compare with:
 *
 *   peer read URLS COUNT     reads so many of room.bench from its beginning
 *   peer publish URLS COUNT  publishes, one at a time, each acknowledged
 *   peer fill URLS COUNT     publishes as fast as it goes
 *
 * Exit status 0 when all went through. */
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check(natsStatus status, const char *what) {
  if (status == NATS_OK) return;
  fprintf(stderr, "peer: %s: %s\n", what, natsStatus_GetText(status));
  exit(1);
}

static int message(char *buffer, size_t size, const char *run, int number) {
  return snprintf(buffer, size,
                  "{\"type\":\"message\",\"messageID\":\"%s-%d\",\"profileID\":\"minsu\","
                  "\"profileName\":\"민수\",\"createdAt\":\"2026-11-30T08:16:00.123Z\","
                  "\"content\":\"message %d of a history that is read\"}",
                  run, number, number);
}

static void read_all(jsCtx *stream, int count) {
  jsSubOptions options;
  check(jsSubOptions_Init(&options), "options");
  options.Stream = "BANTER";
  options.Config.AckPolicy = js_AckNone;
  options.Config.MemoryStorage = true;
  options.Config.Replicas = 1;
  natsSubscription *subscription = NULL;
  check(js_PullSubscribe(&subscription, stream, "room.bench", NULL, NULL, &options, NULL),
        "subscribing");
  for (int seen = 0; seen < count;) {
    natsMsgList list;
    int batch = count - seen < 500 ? count - seen : 500;
    check(natsSubscription_Fetch(&list, subscription, batch, 5000, NULL), "fetching");
    seen += list.Count;
    natsMsgList_Destroy(&list);
  }
  natsSubscription_Destroy(subscription);
}

static void publish(jsCtx *stream, int count, int waits) {
  char text[512], run[32], id[64];
  snprintf(run, sizeof run, "%d", (int)getpid());
  for (int number = 0; number < count; number++) {
    int size = message(text, sizeof text, run, number);
    snprintf(id, sizeof id, "%s-%d", run, number);
    jsPubOptions options;
    check(jsPubOptions_Init(&options), "options");
    options.MsgId = id;
    if (waits)
      check(js_Publish(NULL, stream, "room.bench", text, size, &options, NULL), "publishing");
    else
      check(js_PublishAsync(stream, "room.bench", text, size, &options), "publishing");
  }
  jsPubOptions options;
  check(jsPubOptions_Init(&options), "options");
  options.MaxWait = 60000;
  if (!waits) check(js_PublishAsyncComplete(stream, &options), "waiting");
}

int main(int count, char **words) {
  if (count != 4) return 64;
  natsConnection *connection = NULL;
  jsCtx *stream = NULL;
  jsOptions options;
  check(natsConnection_ConnectTo(&connection, words[2]), "connecting");
  check(jsOptions_Init(&options), "options");
  options.PublishAsync.MaxPending = 4000;
  check(natsConnection_JetStream(&stream, connection, &options), "JetStream");
  if (!strcmp(words[1], "read"))
    read_all(stream, atoi(words[3]));
  else
    publish(stream, atoi(words[3]), !strcmp(words[1], "publish"));
  natsConnection_Destroy(connection);
  return 0;
}

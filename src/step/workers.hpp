// Threads that wait for jobs, and share them out.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace footfall {

class Workers {
 public:
  // `count` workers, of which the caller of run() is one: a single worker starts no thread.
  explicit Workers(int count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int count() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls work(job, worker) for each job from 0 to `jobs`, in no certain order, and returns when all are done.
  // `work` must not throw.
  void run(int jobs, const std::function<void(int job, int worker)>& work);

 private:
  void wait_for_jobs(int worker);
  void take_jobs(int worker);

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  std::uint64_t round_ = 0;  // of run(), under the mutex; so are `busy_` and `stop_`
  int busy_ = 0;             // threads that are not yet done with this round
  bool stop_ = false;
  int jobs_ = 0;
  const std::function<void(int, int)>* work_ = nullptr;
  std::atomic<int> next_{0};
  std::vector<std::thread> threads_;
};

}  // namespace footfall

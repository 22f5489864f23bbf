#include "step/workers.hpp"

namespace footfall {

Workers::Workers(int count) {
  for (int worker = 1; worker < count; ++worker) {
    threads_.emplace_back([this, worker] { wait_for_jobs(worker); });
  }
}

Workers::~Workers() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(int jobs, const std::function<void(int job, int worker)>& work) {
  jobs_ = jobs;
  work_ = &work;
  next_ = 0;
  if (threads_.empty() || jobs < 2) {
    take_jobs(0);
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    ++round_;
    busy_ = static_cast<int>(threads_.size());
  }
  begin_.notify_all();
  take_jobs(0);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
}

void Workers::wait_for_jobs(int worker) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
    }
    take_jobs(worker);
    {
      const std::scoped_lock lock(mutex_);
      if (--busy_ > 0) continue;
    }
    end_.notify_one();
  }
}

void Workers::take_jobs(int worker) {
  for (int job = next_++; job < jobs_; job = next_++) (*work_)(job, worker);
}

}  // namespace footfall

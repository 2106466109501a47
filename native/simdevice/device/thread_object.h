// An object of each thread, made when the thread first asks for it, that may be asked for at any
// time.
//
// A thread_local object is destroyed before the program's own, whose destructors may still call
// HIP. The destructor of a pthread key runs after those of all thread_local objects, and in the
// main thread never. If another key's destructor calls HIP even later, the thread gets a new
// object.
#pragma once

#include <pthread.h>

namespace greta::sim {

template <typename T>
class ThreadObject {
 public:
  static T& get() {
    if (!t_object) {
      t_object = new T;
      pthread_setspecific(key(), t_object);
    }
    return *t_object;
  }

 private:
  static void destroy(void* object) {
    t_object = nullptr;
    delete static_cast<T*>(object);
  }

  static pthread_key_t key() {
    static const pthread_key_t made = [] {
      pthread_key_t created;
      pthread_key_create(&created, &destroy);
      return created;
    }();
    return made;
  }

  static inline thread_local T* t_object = nullptr;
};

}  // namespace greta::sim

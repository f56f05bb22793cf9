// Leaks, as a control: where nobody notices this one, no other test's leak would be noticed.

#include <cstdlib>

namespace {

void* volatile kept = nullptr;

void leak() {
  kept = std::malloc(77);
  kept = nullptr;
}

}  // namespace

int main() { leak(); }

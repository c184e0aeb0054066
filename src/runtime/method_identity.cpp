#include "runtime/method_identity.h"

#include <array>

#include "runtime/method_desc.h"
#include "runtime/method_kind.h"

namespace tierup::runtime {
namespace {

/// Instantiating stub over unboxing stub is the longest chain that was seen; one to spare.
constexpr int kMaxUnwrapHops = 3;

/// Where a stub's descriptor names the method that it wraps: +8 on 8.0, +16 since 9.0.
/// Source: InstantiatedMethodDesc::m_pWrappedMethodDesc, dotnet/runtime src/coreclr/vm/method.hpp.
constexpr std::array<std::int64_t, 2> kWrappedMethodBytes = {8, 16};

/// How far behind an unboxing stub its method lies in the same chunk: the size of a MethodDesc, with and without optional slots.
/// Source: measured, +16 on 8.0, +24 since 9.0; further ones for descriptors with optional slots.
constexpr std::array<std::int64_t, 5> kNeighbourBytes = {16, 24, 32, 40, 48};

struct Candidate {
    MethodDescHead head;
    clr::MethodDescription description;
};

[[nodiscard]] bool is_same_method(const clr::MethodDescription& a, const clr::MethodDescription& b) noexcept {
    return a.token == b.token && a.module == b.module && !a.module.is_null();
}

class Unwrapper {
public:
    Unwrapper(const memory::Reader& reader, clr::DataAccess& data_access) noexcept : reader_(reader), data_access_(data_access) {}

    [[nodiscard]] Status inspect(Address method, Candidate& candidate) noexcept {
        if (reader_.try_read_value(method, candidate.head) != Status::ok) {
            return Status::absent;
        }
        const Status status = data_access_.describe_method(method, candidate.description);
        is_undecided_ |= status == Status::faulted;
        return status;
    }

    /// Some descriptor could not be told from what is none.
    [[nodiscard]] bool is_undecided() const noexcept { return is_undecided_; }

    /// The method that an instantiating stub names, if the descriptor at `method` is one.
    [[nodiscard]] bool find_wrapped(Address method, const Candidate& from, Address& wrapped, Candidate& found) noexcept {
        for (const std::int64_t offset : kWrappedMethodBytes) {
            std::uint64_t pointer = 0;
            if (reader_.try_read_value(method.plus(offset), pointer) != Status::ok || pointer == 0 || pointer % 8 != 0) {
                continue;
            }
            if (Address(pointer) != method && inspect(Address(pointer), found) == Status::ok &&
                is_same_method(found.description, from.description)) {
                wrapped = Address(pointer);
                return true;
            }
        }
        return false;
    }

    template <typename Accept>
    [[nodiscard]] bool find_neighbour(Address method, const Candidate& from, int direction, Accept accept, Address& neighbour,
                                      Candidate& found) noexcept {
        for (const std::int64_t offset : kNeighbourBytes) {
            const Address at = method.plus(direction * offset);
            if (inspect(at, found) == Status::ok && is_same_method(found.description, from.description) && accept(found)) {
                neighbour = at;
                return true;
            }
        }
        return false;
    }

private:
    const memory::Reader& reader_;
    clr::DataAccess& data_access_;
    bool is_undecided_ = false;
};

void take(Address method, const Candidate& candidate, MethodIdentity& identity) noexcept {
    identity.real_method = method;
    identity.module = candidate.description.module;
    identity.native_code_slot = candidate.description.native_code_slot;
    identity.token = candidate.description.token;
    identity.is_eligible = candidate.head.is_eligible_for_tiering();
    if (candidate.description.is_collectible) {
        identity.kinds |= kind_collectible;
    }
    if (candidate.description.is_dynamic || candidate.head.method_class() == MethodClass::dynamic) {
        identity.kinds |= kind_dynamic;
    }
}

/// Without a DAC: the descriptor and what it stands in must at least be readable and look like themselves.
[[nodiscard]] Status identify_by_plausibility(const memory::Reader& reader, Address method, MethodIdentity& identity) noexcept {
    MethodDescHead head;
    if (method.value() % 8 != 0 || reader.try_read_value(method, head) != Status::ok) {
        return Status::absent;
    }
    // MethodDescChunk: the method table pointer is its first field, 24 bytes before its first descriptor; the chunk index counts in 8 bytes.
    // Source: dotnet/runtime src/coreclr/vm/method.hpp, class MethodDescChunk and MethodDesc::GetMethodDescChunk.
    constexpr std::int64_t kChunkHeaderBytes = 24;
    const std::int64_t index_bytes = std::int64_t{head.chunk_and_index & 0xff} * 8;
    std::uint64_t method_table = 0;
    std::uint64_t first_word = 0;
    if (reader.try_read_value(method.plus(-index_bytes - kChunkHeaderBytes), method_table) != Status::ok || method_table % 8 != 0 ||
        method_table == 0 || reader.try_read_value(Address(method_table), first_word) != Status::ok) {
        return Status::absent;
    }
    identity.real_method = method;
    identity.is_eligible = head.is_eligible_for_tiering();
    identity.kinds |=
        kind_unvalidated | (head.is_not_il() ? kind_not_il : 0u) | (head.method_class() == MethodClass::dynamic ? kind_dynamic : 0u);
    return Status::ok;
}

}  // namespace

Status identify_method(const memory::Reader& reader, clr::DataAccess& data_access, Address method, bool is_runtime_async,
                       MethodIdentity& identity) noexcept {
    identity = MethodIdentity{};
    if (method.is_null()) {
        return Status::absent;
    }
    if (!data_access.is_available()) {
        return identify_by_plausibility(reader, method, identity);
    }
    Unwrapper unwrapper(reader, data_access);
    Candidate current;
    if (method.value() % 8 != 0 || unwrapper.inspect(method, current) != Status::ok) {
        return unwrapper.is_undecided() ? Status::faulted : Status::absent;
    }
    take(method, current, identity);
    if (current.head.is_not_il()) {
        identity.kinds |= kind_not_il;
        return Status::ok;
    }
    for (int hop = 0; hop < kMaxUnwrapHops; ++hop) {
        const Address at = identity.real_method;
        const bool is_unboxing = current.head.is_unboxing_stub();
        Address next;
        Candidate found;
        if ((is_unboxing || current.head.method_class() == MethodClass::instantiated) && unwrapper.find_wrapped(at, current, next, found)) {
            identity.kinds |= is_unboxing ? kind_unboxing_stub : kind_instantiating_stub;
        } else if (is_unboxing && unwrapper.find_neighbour(
                                      at, current, 1, [](const Candidate& c) { return !c.head.is_unboxing_stub(); }, next, found)) {
            identity.kinds |= kind_unboxing_stub;
        } else {
            break;
        }
        current = found;
        take(next, current, identity);
    }
    if (is_runtime_async && !identity.is_eligible) {
        // The handle is a thunk; the method that runs is another descriptor of the same token in the same chunk.
        const auto accept = [](const Candidate& c) { return c.head.is_eligible_for_tiering() && !c.head.is_unboxing_stub(); };
        Address next;
        Candidate found;
        if (unwrapper.find_neighbour(identity.real_method, current, 1, accept, next, found) ||
            unwrapper.find_neighbour(identity.real_method, current, -1, accept, next, found)) {
            take(next, found, identity);
        } else {
            identity.kinds |= kind_runtime_async;
        }
    }
    return unwrapper.is_undecided() ? Status::faulted : Status::ok;
}

}  // namespace tierup::runtime

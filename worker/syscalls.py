"""The system calls that a child may not make, as two seccomp filters.

A list of what is forbidden, not of what is allowed: PyTorch, OpenMP and CUDA's driver use what
their release likes, and the way to files is Landlock's or bubblewrap's matter.  Forbidden is what
reaches another process, the network or a wider part of the kernel, and what evades a limit.
"""

from __future__ import annotations

import ctypes.util
import errno
import os
from collections.abc import Iterable

#: What no child needs, not even while it imports.
_NEVER = """
    socket socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg sendmmsg
    recvmmsg getpeername getsockname setsockopt getsockopt shutdown socketcall
    execve execveat vfork truncate truncate64
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd
    pidfd_open pidfd_send_signal
    bpf keyctl add_key request_key userfaultfd perf_event_open lookup_dcookie syslog acct quotactl
    quotactl_fd fanotify_init fanotify_mark
    io_uring_setup io_uring_enter io_uring_register io_setup io_submit io_destroy
    mount umount umount2 pivot_root chroot unshare setns fsopen fsconfig fsmount fspick move_mount
    open_tree open_tree_attr mount_setattr name_to_handle_at open_by_handle_at swapon swapoff
    init_module finit_module delete_module kexec_load kexec_file_load reboot sethostname
    setdomainname iopl ioperm modify_ldt vm86 vm86old uselib personality nfsservctl vhangup
    settimeofday clock_settime clock_adjtime adjtimex stime
    setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid setfsgid capset
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat setxattr lsetxattr fsetxattr
    setxattrat removexattr lremovexattr fremovexattr removexattrat utime utimes utimensat futimesat
    file_setattr mknod mknodat
    setpriority ioprio_set sched_setscheduler sched_setparam sched_setattr
    migrate_pages move_pages
    shmget shmat shmctl shmdt semget semop semtimedop semctl msgget msgsnd msgrcv msgctl
    mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr memfd_secret
"""

#: What the process that imports must be able to do, and one that reads an upload must not.
_NOT_WITH_UPLOADS = "fork setsid setpgid tkill rt_sigqueueinfo rt_tgsigqueueinfo"

_CLONE_THREAD = 0x10000
_SHARED_NAMELESS = 0x21  # MAP_SHARED | MAP_ANONYMOUS
_GROWS_DOWN = 0x100
_PR_SET_PDEATHSIG = 1
_ACCESS = 0b11  # O_ACCMODE: reading is 0
_INT = 0xFFFFFFFF  # what the kernel reads of an int

#: Of fcntl: whom signals of a file go to, which ones, and leases, which hold up others' opening.
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE = 8, 10, 15, 1024


#: What happens, to which call, where its arguments are such.
Rule = tuple[int, str, tuple[object, ...]]


class SeccompError(Exception):
    """No filter can be set here; the text says why."""


def available() -> None:
    """Import the library.

    It asks programs of the system where libseccomp is, which a sandbox does not have; the name
    that the dynamic linker knows it by does.

    Raises:
        SeccompError: it is not here.
    """
    finds = ctypes.util.find_library
    ctypes.util.find_library = _by_linker
    try:
        import pyseccomp  # noqa: F401
    except ImportError:
        raise SeccompError("pyseccomp is not installed (pip install pyseccomp)") from None
    except (RuntimeError, OSError, AttributeError):
        raise SeccompError("libseccomp is not installed (apt install libseccomp2)") from None
    finally:
        ctypes.util.find_library = finds


def _by_linker(name: str) -> str | None:
    return "libseccomp.so.2" if name == "seccomp" else None  # the C library is loaded already


def forbid(*, memory_limited: bool) -> None:
    """Forbid every thread of this process what no child needs.

    ``memory_limited`` closes the ways to memory that ``RLIMIT_DATA`` does not count.

    Raises:
        SeccompError: no filter was set.
    """
    import pyseccomp as seccomp

    denied, none = seccomp.ERRNO(errno.EPERM), seccomp.ERRNO(errno.ENOMEM)
    conditions: list[Rule] = [
        # its flags can't be looked at
        (seccomp.ERRNO(errno.ENOSYS), "openat2", ()),
        # an old Landlock lets a file that may be read be emptied
        *(
            (
                denied,
                call,
                (seccomp.Arg(place, seccomp.MASKED_EQ, _ACCESS | os.O_TRUNC, os.O_TRUNC),),
            )
            for call, place in (("open", 1), ("openat", 2))
        ),
    ]
    conditions += [
        (denied, call, (seccomp.Arg(argument, seccomp.MASKED_EQ, _INT, value),))
        for call, argument, value in (
            ("prctl", 0, _PR_SET_PDEATHSIG),
            *(("fcntl", 1, one) for one in (_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE)),
        )
    ]
    if memory_limited:
        conditions += [
            (none, call, (seccomp.Arg(3, seccomp.MASKED_EQ, bits, bits),))
            for call in ("mmap", "mmap2")
            for bits in (_SHARED_NAMELESS, _GROWS_DOWN)
        ]
        conditions.append((none, "memfd_create", ()))
    _load(_NEVER, conditions)


def forbid_company() -> None:
    """Forbid every thread of this process to start another or to reach any but itself.

    Raises:
        SeccompError: no filter was set.
    """
    import pyseccomp as seccomp

    me, denied = os.getpid(), seccomp.ERRNO(errno.EPERM)
    conditions = [
        # the C library falls back on clone, whose flags can be looked at
        (seccomp.ERRNO(errno.ENOSYS), "clone3", ()),
        (denied, "clone", (seccomp.Arg(0, seccomp.MASKED_EQ, _CLONE_THREAD, 0),)),
        (denied, "kill", (seccomp.Arg(0, seccomp.NE, me),)),
        (denied, "tgkill", (seccomp.Arg(0, seccomp.NE, me),)),
        # 0 is this process, or thread
        (denied, "prlimit64", (seccomp.Arg(0, seccomp.NE, 0),)),
        (denied, "sched_setaffinity", (seccomp.Arg(0, seccomp.NE, 0),)),
    ]
    _load(_NOT_WITH_UPLOADS, conditions)


def _load(forbidden: str, conditions: Iterable[Rule]) -> None:
    import pyseccomp as seccomp

    rules = [(seccomp.ERRNO(errno.EPERM), call, ()) for call in forbidden.split()]
    try:
        chosen = seccomp.SyscallFilter(seccomp.ALLOW)
        chosen.set_attr(seccomp.Attr.CTL_TSYNC, 1)
        for action, call, arguments in [*rules, *conditions]:
            number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, call)
            if number >= 0:  # else this architecture, or this libseccomp, knows no such call
                chosen.add_rule(action, number, *arguments)
        chosen.load()
    except OSError as error:
        raise SeccompError(f"seccomp: {error.strerror}") from error
